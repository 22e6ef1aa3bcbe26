import type { Conversation, Part, ReasoningPart, ReplyEvent, Turn } from '../conversation/conversation.ts'
import type { Means, ReplyReader } from './provider.ts'

/*
 * Claude and the models of Responses want the thoughts back that led to a call, as they signed them, and most formats have no place
 * for them. So they are kept for a while beside the ids of the calls. Where they are lost, the model goes on without thinking.
 */
type Memory = Means['signatures']

/** Ids of Anthropic and OpenAI, which cannot be guessed. Others count from zero, and would mix up the thoughts of two conversations. */
const UNIQUE_ID = /^(toolu|call)_[a-zA-Z0-9_]{16,}$/

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

  const { again, close } = reader
  return {
    event: (event) => remembered(reader.event(event)),
    whole: (body) => remembered(reader.whole(body)),
    ...(close && { close: () => remembered(close()) }),
    ...(again && {
      again(step, piece) {
        const events = again(step, piece)
        return events && remembered(events)
      },
    }),
  }
}

/** Whether the upstream that is asked has signed a thought, and can read it. */
type IsOwn = (thought: ReasoningPart) => boolean

/** The conversation with the thoughts that its client did not send back, before the calls they led to. */
export async function withRememberedThoughts(
  conversation: Conversation,
  memory: Memory,
  isOwn: IsOwn,
): Promise<Conversation> {
  const calls = conversation.turns.flatMap((turn) => (isWithout(turn, isOwn) ? turn.parts.flatMap(callKey) : []))
  if (calls.length === 0) return conversation
  await memory.load?.(calls)
  return { ...conversation, turns: conversation.turns.map((turn) => recalled(turn, memory, isOwn)) }
}

const callKey = (part: Part): string[] => (part.kind === 'call' && UNIQUE_ID.test(part.id) ? [keyOf(part.id)] : [])

/** Whether a turn of the model has none of its thoughts. */
function isWithout({ role, parts }: Turn, isOwn: IsOwn): boolean {
  return role === 'assistant' && !parts.some((part) => part.kind === 'reasoning' && isOwn(part))
}

function recalled(turn: Turn, memory: Memory, isOwn: IsOwn): Turn {
  const { parts } = turn
  if (!isWithout(turn, isOwn)) return turn
  const firstCall = parts.findIndex(({ kind }) => kind === 'call')
  if (firstCall < 0) return turn
  // What came before the first call stands before the text as well: a turn with calls begins with a thought.
  const first = thoughtsBefore(parts[firstCall], memory, isOwn)
  const others = parts.flatMap((part, at) => (at > firstCall ? [...thoughtsBefore(part, memory, isOwn), part] : [part]))
  return { ...turn, parts: [...first, ...others] }
}

function thoughtsBefore(part: Part | undefined, memory: Memory, isOwn: IsOwn): ReasoningPart[] {
  const kept = part?.kind === 'call' ? memory.get(keyOf(part.id)) : undefined
  return kept === undefined ? [] : (JSON.parse(kept) as ReasoningPart[]).filter(isOwn)
}
