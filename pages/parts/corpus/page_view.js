// Pages alone: one document, the same for as long as it is on the screen.

const views = new WeakMap()

export default function ({ parentElement, data }) {
  if (!views.has(parentElement)) views.set(parentElement, new PageView(parentElement.querySelector(".pages")))
  const view = views.get(parentElement)
  view.marks(data.spans, -1)
  if (view.id !== data.document) view.open(data.document, data.spans[0]?.start)
  return () => {
    view.stop()
    views.delete(parentElement)
  }
}
