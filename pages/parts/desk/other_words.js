// The same person's other words for a box, typed in another tab: both are shown, and one of the two is taken.

/** `owner`: whose keeper keeps the box, and `line` that it stands in where it shares one; `taken` is told when the other words
    stand in it. */
const otherWords = (owner, theirs, message, taken = () => {}) => {
  hideOtherWords(owner)
  const place = el("div", "notice other-words")
  place.setAttribute("role", "alert")
  const [mine, take] = [el("button", "button keep-mine", "Keep mine"), el("button", "button take-theirs", "Take the other")]
  for (const button of [mine, take]) button.type = "button"
  const row = el("div", "row")
  row.append(mine, take)
  place.append(el("p", "", message), el("span", "label", "The other tab's words"), foreign("p", "theirs", theirs.question), row)
  const choose = words => {
    owner.keeper.knows(theirs.saved_at)
    place.remove()
    owner.box.value = words
    owner.keeper.typed()
    owner.keeper.flush()
  }
  mine.onclick = () => choose(owner.box.value)
  take.onclick = () => { choose(theirs.question); taken() }
  lineOf(owner).after(place)
}

const lineOf = owner => owner.line ?? owner.box

/** Another item, or words that were sent: there is nothing to choose any more. */
const hideOtherWords = owner => lineOf(owner).parentElement.querySelector(":scope > .other-words")?.remove()
