import type { ReplyEvent } from '../../conversation/conversation.ts'
import { overlap } from '../openai/stops.ts'

const OPENING = /^<details[^>]*>\s*<summary>\s*Thinking\.*\s*<\/summary>\s*/i
const TAG = '<details'
const CLOSING = '</details>'
/** Maximum number of characters of an opening tag with its summary. A longer one is other HTML. */
const OPENING_LENGTH_MAX = 400

/**
 * Separates text from reasoning, which Dify wraps in `<details …><summary> Thinking... </summary>…</details>`. Other
 * `<details>` remain text. A tag may be split between events.
 */
export function createDetailsSplitter() {
  let pending = ''
  let isThinking = false
  /** Whether reasoning has just ended. White space after reasoning is dropped. */
  let isAfterReasoning = false

  /** Returns the pending text, except an end that may be the beginning of a tag. With `last`, returns all of it. */
  function readPending(last: boolean): ReplyEvent[] {
    const events: ReplyEvent[] = []
    const emit = (length: number) => {
      const text = pending.slice(0, length)
      pending = pending.slice(length)
      if (text !== '') events.push({ kind: isThinking ? 'reasoning' : 'text', text })
    }
    for (;;) {
      if (isAfterReasoning) pending = pending.trimStart()
      if (pending !== '') isAfterReasoning = false
      const tag = isThinking ? CLOSING : TAG
      const at = pending.indexOf(tag)
      emit(at >= 0 ? at : pending.length - (last ? 0 : overlap(pending, [tag])))
      if (at < 0) return events
      if (isThinking) {
        pending = pending.slice(CLOSING.length)
        isThinking = false
        isAfterReasoning = true
        continue
      }
      const opening = OPENING.exec(pending)
      // If the pending text ends with the summary, more white space may follow in the next event.
      if (opening && (last || opening[0].length < pending.length)) {
        pending = pending.slice(opening[0].length)
        isThinking = true
      } else if (!last && pending.length < OPENING_LENGTH_MAX && (opening || !pending.includes('</summary>')))
        return events
      else emit(TAG.length)
    }
  }

  return {
    push(text: string): ReplyEvent[] {
      pending += text
      return readPending(false)
    },
    flush: (): ReplyEvent[] => readPending(true),
  }
}
