import assert from "node:assert/strict"
import { test } from "node:test"
import { placesOf, withAgain, without } from "../../../pages/components/review/claims/claim_words.js"

test("a claim is found however it is spaced, one behind the other", () => {
  assert.deepEqual(placesOf(["It rose.", "It  rose."], "It rose. It rose."), [
    [0, 8],
    [9, 17],
  ])
  assert.deepEqual(placesOf(["Gone.", null, ""], "Here."), [null, null, null])
})

test("what is dropped takes its white space along, and comes back in its place", () => {
  const answer = "One. Two. Three."
  const { answer: less, gap } = without(answer, [5, 9])
  assert.equal(less, "One. Three.")
  assert.equal(withAgain(less, placesOf(["One.", null, "Three."], less), 1, "Two.", gap), answer)
})

test("the last claim takes the white space before it along", () => {
  assert.deepEqual(without("One. Two.", [5, 9]), { answer: "One.", gap: " " })
})

test("the first claim comes back at the beginning", () => {
  assert.equal(withAgain("Two.", [null, [0, 4]], 0, "One.", " "), "One. Two.")
})
