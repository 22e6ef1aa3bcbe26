import type { Conversation, Part, ReasoningPart, ReplyEvent, Turn } from '../../conversation/conversation.ts'
import type { Means, ReplyReader } from '../provider.ts'
import { isOwnThought } from './turn-blocks.ts'

/*
 * Claude wants the thoughts back that led to a call, as it signed them, and most formats have no place for them. So they are
 * kept for a while beside the ids of the calls. Where they are lost, the model goes on without thinking.
 */
type Memory = Means['signatures']

/** Anthropic's own ids, which nobody can guess. Others count from zero, and would mix up the thoughts of two users. */
const UNIQUE_ID = /^toolu_[a-zA-Z0-9_]{20,}$/

const keyOf = (callId: string): string => `thoughts:${callId}`

/** The reader, which remembers signed thoughts by the call that followed them. */
export function rememberingThoughts(reader: ReplyReader, memory: Memory): ReplyReader {
  let thoughts: ReasoningPart[] = []
  let text = ''

  function remember(event: ReplyEvent): void {
    if (event.kind === 'reasoning') text += event.text
    else if (event.kind === 'redacted') thoughts.push({ kind: 'reasoning', text: '', redacted: event.data })
    else if (event.kind === 'signature') {
      thoughts.push({ kind: 'reasoning', text, signature: event.signature })
      text = ''
    } else if (event.kind === 'call') {
      if (thoughts.length && UNIQUE_ID.test(event.id)) memory.set(keyOf(event.id), JSON.stringify(thoughts))
      thoughts = []
    }
  }

  function remembered(events: ReplyEvent[]): ReplyEvent[] {
    events.forEach(remember)
    return events
  }

  return {
    event: (event) => remembered(reader.event(event)),
    whole: (body) => remembered(reader.whole(body)),
  }
}

/** The conversation with the thoughts that its client did not send back, before the calls they led to. */
export function withRememberedThoughts(conversation: Conversation, memory: Memory): Conversation {
  return { ...conversation, turns: conversation.turns.map((turn) => recalled(turn, memory)) }
}

function recalled(turn: Turn, memory: Memory): Turn {
  const { role, parts } = turn
  if (role !== 'assistant' || parts.some((part) => part.kind === 'reasoning' && isOwnThought(part))) return turn
  const firstCall = parts.findIndex(({ kind }) => kind === 'call')
  if (firstCall < 0) return turn
  // What came before the first call stands before the text as well: a turn with calls begins with a thought.
  const first = thoughtsBefore(parts[firstCall], memory)
  const others = parts.flatMap((part, at) => (at > firstCall ? [...thoughtsBefore(part, memory), part] : [part]))
  return { ...turn, parts: [...first, ...others] }
}

function thoughtsBefore(part: Part | undefined, memory: Memory): ReasoningPart[] {
  const kept = part?.kind === 'call' ? memory.get(keyOf(part.id)) : undefined
  return kept === undefined ? [] : (JSON.parse(kept) as ReasoningPart[])
}
