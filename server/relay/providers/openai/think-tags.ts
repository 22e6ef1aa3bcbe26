import type { ReplyEvent } from '../../conversation/conversation.ts'
import type { Json } from '../../json.ts'
import type { StreamEvent } from '../../transport/events.ts'
import type { ReplyReader, TextEvent } from '../provider.ts'
import { overlap } from './stops.ts'

const OPEN = '<think>'
const CLOSE = '</think>'

/** State of a choice while its text is split into reasoning and answer. */
interface SplitState {
  /** The position in the text: before the tag, in the reasoning, in the white space after it, or in the answer. */
  phase: 'start' | 'thought' | 'gap' | 'text'
  pending: string
}

/**
 * Wraps a reader, and converts `<think>…</think>` at the start of a reply to reasoning. Elsewhere, the tags remain
 * text. Events may split a tag.
 */
export function withThinkTags(reader: ReplyReader): ReplyReader {
  return new ThinkTagReader(reader)
}

class ThinkTagReader implements ReplyReader {
  /** States by choice. Undefined until a text is split, because most whole replies are not split. */
  private choices: Map<number, SplitState> | undefined

  constructor(private readonly reader: ReplyReader) {}

  event(event: StreamEvent): ReplyEvent[] {
    return this.split(this.reader.event(event))
  }

  repeatText(event: TextEvent, text: string): ReplyEvent[] | undefined {
    const phase = this.choices?.get(event.choice ?? 0)?.phase ?? 'start'
    // In other phases, `text` may contain a part of a tag, or `event` may be reasoning from between the tags.
    return phase === (event.kind === 'text' ? 'text' : 'start') ? this.reader.repeatText?.(event, text) : undefined
  }

  whole(body: Json): ReplyEvent[] {
    const events = this.reader.whole(body)
    return events.some(mayBeginTag) ? this.split(events) : events
  }

  close(): ReplyEvent[] {
    return [...this.split(this.reader.close?.() ?? []), ...this.flushAll()]
  }

  private split(events: readonly ReplyEvent[]): ReplyEvent[] {
    return events.flatMap((event) => {
      if (event.kind === 'text') return this.readText(event)
      if (event.kind === 'end' || event.kind === 'error') return [...this.flushAll(), event]
      return event.kind === 'stop' || event.kind === 'call' ? [...this.flushChoice(event.choice ?? 0), event] : [event]
    })
  }

  private readText(event: Extract<ReplyEvent, { kind: 'text' }>): readonly ReplyEvent[] {
    const { text, choice = 0 } = event
    const split = this.stateOf(choice)
    // After the reasoning, tags are ordinary text, so the event does not change.
    if (split.phase === 'text') return [event]
    split.pending += text
    const events: ReplyEvent[] = []
    const emit = (kind: 'text' | 'reasoning', piece: string) => {
      if (piece !== '') events.push({ kind, text: piece, choice })
    }
    if (split.phase === 'start') {
      const trimmed = split.pending.trimStart()
      if (trimmed.startsWith(OPEN)) Object.assign(split, { phase: 'thought', pending: trimmed.slice(OPEN.length) })
      else if (!OPEN.startsWith(trimmed)) split.phase = 'text'
      else return events
    }
    if (split.phase === 'thought') {
      const end = split.pending.indexOf(CLOSE)
      const pieceEnd = end < 0 ? split.pending.length - overlap(split.pending, [CLOSE]) : end
      emit('reasoning', split.pending.slice(0, pieceEnd))
      Object.assign(
        split,
        end < 0
          ? { pending: split.pending.slice(pieceEnd) }
          : { phase: 'gap', pending: split.pending.slice(pieceEnd + CLOSE.length) },
      )
    }
    if (split.phase === 'gap') {
      split.pending = split.pending.trimStart()
      if (split.pending !== '') split.phase = 'text'
    }
    if (split.phase === 'text') {
      emit('text', split.pending)
      split.pending = ''
    }
    return events
  }

  private stateOf(choice: number): SplitState {
    this.choices ??= new Map()
    const existing = this.choices.get(choice)
    if (existing) return existing
    const newState: SplitState = { phase: 'start', pending: '' }
    this.choices.set(choice, newState)
    return newState
  }

  /** Returns the pending text, which is not part of a tag. */
  private flushChoice(choice: number): ReplyEvent[] {
    const split = this.choices?.get(choice)
    if (!split?.pending) return []
    const { pending, phase } = split
    split.pending = ''
    return [{ kind: phase === 'thought' ? 'reasoning' : 'text', text: pending, choice }]
  }

  private flushAll(): ReplyEvent[] {
    return this.choices ? [...this.choices.keys()].flatMap((choice) => this.flushChoice(choice)) : []
  }
}

const mayBeginTag = (event: ReplyEvent): boolean => event.kind === 'text' && /^\s*</.test(event.text)
