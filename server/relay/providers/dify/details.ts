import type { ReplyEvent } from '../../conversation/conversation.ts'

const OPENING = /^<details[^>]*>\s*<summary>\s*Thinking\.*\s*<\/summary>\s*/i
const TAG = '<details'
const CLOSING = '</details>'
/** An opening with its summary is shorter; what is longer is other HTML. */
const OPENING_LENGTH_MAX = 400

/**
 * Tells thoughts that Dify folds into `<details …><summary> Thinking... </summary>…</details>` from the text around
 * them. Tags may be cut anywhere by the stream; details about anything else are text.
 */
export function createDetailsSplitter() {
  let held = ''
  let thinking = false
  /** Thoughts are set off from the text by blank lines, which belong to neither. */
  let between = false

  /** What is sure by now is said; `last`: nothing more will come. */
  function advance(last: boolean): ReplyEvent[] {
    const events: ReplyEvent[] = []
    const say = (length: number) => {
      const text = held.slice(0, length)
      held = held.slice(length)
      if (text !== '') events.push({ kind: thinking ? 'reasoning' : 'text', text })
    }
    for (;;) {
      if (between) held = held.trimStart()
      if (held !== '') between = false
      const tag = thinking ? CLOSING : TAG
      const at = held.indexOf(tag)
      say(at >= 0 ? at : held.length - (last ? 0 : overlap(held, tag)))
      if (at < 0) return events
      if (thinking) {
        held = held.slice(CLOSING.length)
        thinking = false
        between = true
        continue
      }
      const opening = OPENING.exec(held)
      // White space after the summary may still be coming.
      if (opening && (last || opening[0].length < held.length)) {
        held = held.slice(opening[0].length)
        thinking = true
      } else if (!last && held.length < OPENING_LENGTH_MAX && (opening || !held.includes('</summary>'))) return events
      else say(TAG.length)
    }
  }

  return {
    push(text: string): ReplyEvent[] {
      held += text
      return advance(false)
    },
    flush: (): ReplyEvent[] => advance(true),
  }
}

/** How many characters at the end of a text may be the beginning of a tag. */
function overlap(text: string, tag: string): number {
  for (let length = Math.min(tag.length - 1, text.length); length > 0; length--) {
    if (tag.startsWith(text.slice(-length))) return length
  }
  return 0
}
