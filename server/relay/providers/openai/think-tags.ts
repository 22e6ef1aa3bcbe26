import type { ReplyEvent } from '../../conversation/conversation.ts'
import type { ReplyReader } from '../provider.ts'

const OPEN = '<think>'
const CLOSE = '</think>'

interface Split {
  place: 'start' | 'thought' | 'gap' | 'text'
  held: string
}

/**
 * Tells thoughts that stand in `<think>…</think>` at the very beginning of a reply's text as reasoning; anywhere else the
 * tags are text. Both tags may be cut anywhere by the stream.
 */
export function withThinkTags(reader: ReplyReader): ReplyReader {
  const choices = new Map<number, Split>()

  function stateOf(choice: number): Split {
    const found = choices.get(choice)
    if (found) return found
    const begun: Split = { place: 'start', held: '' }
    choices.set(choice, begun)
    return begun
  }

  function readText(event: Extract<ReplyEvent, { kind: 'text' }>): readonly ReplyEvent[] {
    const { text, choice = 0 } = event
    const split = stateOf(choice)
    // Where no tag can be any more, which is nearly always, nothing is made anew.
    if (split.place === 'text') return [event]
    split.held += text
    const events: ReplyEvent[] = []
    const say = (kind: 'text' | 'reasoning', said: string) => {
      if (said !== '') events.push({ kind, text: said, choice })
    }
    if (split.place === 'start') {
      const begun = split.held.trimStart()
      if (begun.startsWith(OPEN)) Object.assign(split, { place: 'thought', held: begun.slice(OPEN.length) })
      else if (!OPEN.startsWith(begun)) split.place = 'text'
      else return events
    }
    if (split.place === 'thought') {
      const end = split.held.indexOf(CLOSE)
      const until = end < 0 ? split.held.length - overlap(split.held, CLOSE) : end
      say('reasoning', split.held.slice(0, until))
      Object.assign(
        split,
        end < 0 ? { held: split.held.slice(until) } : { place: 'gap', held: split.held.slice(until + CLOSE.length) },
      )
    }
    if (split.place === 'gap') {
      split.held = split.held.trimStart()
      if (split.held !== '') split.place = 'text'
    }
    if (split.place === 'text') {
      say('text', split.held)
      split.held = ''
    }
    return events
  }

  /** What was held back, because more might have made a tag of it. */
  function release(choice: number): ReplyEvent[] {
    const split = choices.get(choice)
    if (!split?.held) return []
    const { held, place } = split
    split.held = ''
    return [{ kind: place === 'thought' ? 'reasoning' : 'text', text: held, choice }]
  }

  function split(events: readonly ReplyEvent[]): ReplyEvent[] {
    return events.flatMap((event) => {
      if (event.kind === 'text') return readText(event)
      if (event.kind === 'end' || event.kind === 'error') return [...[...choices.keys()].flatMap(release), event]
      return event.kind === 'stop' || event.kind === 'call' ? [...release(event.choice ?? 0), event] : [event]
    })
  }

  return {
    event: (event) => split(reader.event(event)),
    again(step, text) {
      const place = choices.get(step.choice ?? 0)?.place ?? 'start'
      // Elsewhere the text may hold a tag, or the step may have come from one.
      return place === (step.kind === 'text' ? 'text' : 'start') ? reader.again?.(step, text) : undefined
    },
    whole(body) {
      const events = reader.whole(body)
      return events.some(mayBeginTag) ? split(events) : events
    },
    close: () => [...split(reader.close?.() ?? []), ...[...choices.keys()].flatMap(release)],
  }
}

const mayBeginTag = (event: ReplyEvent): boolean => event.kind === 'text' && /^\s*</.test(event.text)

/** How many characters at the end of a text may be the beginning of a tag. */
function overlap(text: string, tag: string): number {
  for (let length = Math.min(tag.length - 1, text.length); length > 0; length--) {
    if (tag.startsWith(text.slice(-length))) return length
  }
  return 0
}
