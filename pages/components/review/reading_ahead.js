// Loads the document of the next item while a person reads the last item of a document, because a document may be long and
// never changes. The next item itself is neither reserved nor fetched; the response to the decision contains it.

import { documentOf } from "../lib/document_cache.js"
import { postOnce } from "../lib/requests.js"

const AFTER_MS = 1_500

export class ReadingAhead {
  /** @param {import("./desk.js").Desk} desk */
  constructor(desk) {
    this.desk = desk
    this.timer = 0
  }

  /** Fetch the next document a little later, if the item that was opened is the last one of its document. */
  open() {
    const { bar, visit } = this.desk.data
    clearTimeout(this.timer)
    if (bar?.is_last_of_document && visit) this.timer = setTimeout(() => this.load(), AFTER_MS)
  }

  stop() {
    clearTimeout(this.timer)
  }

  async load() {
    const { data, item } = this.desk
    const answer = await postOnce("/bench/ahead", { person: data.person, item: item.id, kind: data.visit?.kind })
    if (answer?.status === 200 && answer.body.document) documentOf(answer.body.document).catch(() => {})
  }
}
