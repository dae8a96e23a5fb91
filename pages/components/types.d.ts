// The shapes of what the server tells the components. Names are those of the JSON.

declare module "*.css"

interface Span {
  document: string
  start: number
  end: number
}

/** A span to be marked: evidence by its number, or what a claim or an opinion points to by its kind. */
interface MarkedSpan extends Span {
  n?: number
  kind?: string
  isNow?: boolean
}

/** Unsent edits, as the store has them. */
interface StoredDraft {
  question: string
  answer: string
  evidence: Span[]
  label_answers?: LabelAnswers
  revision: number
  seconds: number
  saved_at: string
}

/** Who else holds an item, and until when; without an end it was given to them. */
interface Holder {
  by: string
  until?: string
}

interface LabelRow {
  name: string
  title: string
  value: string | null
  values: { value: string; shown: string; about: string }[]
}

type LabelAnswer = string | number | string[]
type LabelAnswers = Record<string, LabelAnswer | undefined>

interface LabelQuestion {
  name: string
  text: string
  kind: "one" | "several" | "rating" | "text"
  choices: string[]
  top: number
  required: boolean
}

interface ReviewItem {
  id: string
  revision: number
  status: string
  task: string
  task_label: string
  level: number | string | null
  domain: string
  language: string
  definition?: string
  is_frame?: boolean
  question: string
  answers: string[]
  evidence: Span[]
  taxonomy?: LabelRow[]
  labels?: { label_answers?: LabelAnswers }
  label_answers?: undefined // an item's stand among its labels
}

/** Another revision of an item, or what its person typed in another tab. */
interface OtherWords {
  isScratch?: boolean
  by?: string
  status?: string
  revision: number
  question: string
  answers: string[]
  evidence?: Span[]
  labels?: Record<string, string | null>
  taxonomy?: LabelRow[]
  label_answers?: LabelAnswers
  saved_at: string
}

interface Opinion {
  letter: string
  person?: string
  decision: string
  question: string
  answers: string[]
  evidence: Span[]
  labels: Record<string, string>
  taxonomy?: LabelRow[]
  label_answers?: LabelAnswers
  reason: string
  comment: string
  seconds: number | null
  is_fast: boolean
}

interface Claim {
  claim: string
  evidence?: Span[]
  candidates?: Span[]
  figures_not_found?: string[]
}

interface Remark {
  id: string
  person: string
  at: string
  text: string
  taken_back: boolean
}

interface QualificationFeedback {
  is_right: boolean
  flaw: string
  where: string
  why: string
  gone: string
  put: string
  did: string
  expected: string
  done: number
  n: number
  right: number
  passing: number
}

interface Verdict {
  gate: string
  outcome: string
  why: string
  asked?: string[]
}

interface RagCheck {
  stale: boolean
  offline: boolean
  judge: number | null
  precision: number | null
  recall: number | null
  f1: number | null
  multi_choice?: string | number | null
  answer: string
}

interface BuildStep {
  kind: string
  text?: string
  found: string
  hits?: { is_kept: boolean; title?: string; why: string; score?: number | null }[]
}

interface RevisionEvent {
  revision: number
  by: string
  at: string
  question: string
  answers: string[]
  evidence: Span[]
  taxonomy?: LabelRow[]
}

interface DecisionEvent {
  person: string
  decision: string
  revision: number
  guideline?: number
  at: string
  reason: string
  comment: string
  label_answers?: LabelAnswers
  words?: { question: string; answer: string }
  assistance?: string
}

/** The line over the desk. */
interface DeskBar {
  words: string
  control: string
  disputed: number
  left: number | null
  is_last_of_document: boolean
}

/** Which item a tab has on its desk, and the queue that its next one comes from. */
interface DeskVisit {
  tab: string
  number: number
  kind: Record<string, string | number | null>
}

interface ReviewData {
  item: ReviewItem
  person: string
  went: number
  documents: { id: string; title: string; has_pages: boolean }[]
  blind?: boolean
  alone?: boolean
  scratch?: StoredDraft | null
  decision?: { words?: Pick<Opinion, "question" | "answers" | "evidence" | "labels">; label_answers?: LabelAnswers } | null
  own_answer?: { text: string }
  machine?: { question: string; answers?: string[]; origin?: string }
  held?: Holder | null
  keeps_from_taking?: string
  position?: { left?: number; has_back?: boolean; undo?: { item: string; question: string } | null }
  show_next?: boolean
  next_label?: string
  reasons: string[]
  skip_reasons?: string[]
  label_questions?: LabelQuestion[]
  claims?: Claim[]
  comments?: { thread: Remark[]; scratch: StoredDraft | null }
  opinions?: { given: Opinion[]; is_open: boolean; seen: string; why: StoredDraft | null }
  feedback?: QualificationFeedback | null
  guideline?: { version: number; text: string; html: string; is_newer: boolean }
  history?: { revision: number; by: string; at: string }[]
  rewrites?: { text: string; person: string; status: string; revision: number }[]
  verdicts?: Verdict[]
  rag?: RagCheck
  steps?: BuildStep[]
  note?: string
  leads_to_opinions?: boolean
  bar?: DeskBar | null
  visit?: DeskVisit | null
}

/** The base path of the app, which the server writes into each bundle; none in tests. */
declare var benchwrightBase: string | undefined
