// Connects a component to Streamlit: the page has one instance for each position of the component, and each rerun of the script
// gives the instance new data.

/**
 * @typedef {{ data: any, parentElement: HTMLElement, setTriggerValue: (name: string, value: unknown) => void }} StreamlitComponent
 * @typedef {{ render(component: StreamlitComponent): void, stop(): void }} Drawn
 */

/**
 * Return the function that Streamlit calls on a component: it makes an instance at the first call, renders it at every call,
 * and returns a function that ends it.
 * @param {(parent: HTMLElement) => Drawn} make
 */
export const mount = make => {
  /** @type {WeakMap<HTMLElement, Drawn>} */
  const drawn = new WeakMap()
  /** @param {StreamlitComponent} component */
  return component => {
    const { parentElement } = component
    const one = drawn.get(parentElement) ?? make(parentElement)
    drawn.set(parentElement, one)
    one.render(component)
    return () => {
      drawn.get(parentElement)?.stop()
      drawn.delete(parentElement)
    }
  }
}

/**
 * Call `leave` when the page closes or the tab is hidden; return a function that stops this.
 * @param {() => void} leave
 */
export const onLeave = leave => {
  const hidden = () => {
    if (document.visibilityState === "hidden") leave()
  }
  document.addEventListener("visibilitychange", hidden)
  window.addEventListener("pagehide", leave)
  return () => {
    document.removeEventListener("visibilitychange", hidden)
    window.removeEventListener("pagehide", leave)
  }
}
