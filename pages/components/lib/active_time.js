// Measures the seconds in which a person was actively working.

/** Milliseconds without input after which the person counts as away. */
const IDLE_MS = 60_000

const SIGNS_OF_LIFE = ["keydown", "mousemove", "pointerdown", "wheel", "scroll", "touchmove"]

/**
 * Counts the person's active time: while the tab is visible and the last input is less than a minute old, by a monotonic clock.
 */
export class ActiveTime {
  constructor() {
    this.total = 0
    this.mark = this.life = performance.now()
    this.seen = document.visibilityState === "visible"
    this.alive = () => {
      this.settle()
      this.life = performance.now()
    }
    this.turned = () => {
      this.settle()
      if (document.visibilityState === "visible") this.life = performance.now()
    }
    for (const kind of SIGNS_OF_LIFE) window.addEventListener(kind, this.alive, { capture: true, passive: true })
    document.addEventListener("visibilitychange", this.turned, true)
  }

  /** Whether the tab is visible and the person made an input within the last minute. */
  get isActive() {
    return document.visibilityState === "visible" && performance.now() - this.life <= IDLE_MS
  }

  /** Count the time up to now, before an event changes whether the person is active. */
  settle() {
    const now = performance.now()
    const counted = Math.min(now, this.life + IDLE_MS) - this.mark
    if (this.seen && counted > 0) this.total += counted
    this.mark = now
    this.seen = document.visibilityState === "visible"
  }

  /** Start counting; the seconds of earlier visits are included. */
  start(seconds = 0) {
    this.total = Math.max(0, Number(seconds) || 0) * 1000
    this.mark = this.life = performance.now()
    this.seen = document.visibilityState === "visible"
  }

  get seconds() {
    this.settle()
    return Math.round(this.total / 100) / 10
  }

  stop() {
    for (const kind of SIGNS_OF_LIFE) window.removeEventListener(kind, this.alive, { capture: true })
    document.removeEventListener("visibilitychange", this.turned, true)
  }
}
