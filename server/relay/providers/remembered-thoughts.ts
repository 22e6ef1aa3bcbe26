import { createHash } from 'node:crypto'
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

/**
 * Clients of Gemini may send calls without their ids. Then a thought is found by all that was said before the turn, and the place and name
 * of the call in it.
 */
const placeKeyOf = (outline: string, at: number, name: string): string =>
  `turns:${createHash('sha256').update(`${outline} ${at} ${name}`).digest('hex')}`

/** What was said, without ids, signatures and thoughts: the same however often a client sends it. */
function outlineOf(turns: readonly Turn[]): string {
  const said = (part: Part): unknown => {
    if (part.kind === 'call') return part.name
    if (part.kind === 'result') return part.parts.map(said)
    return part.kind === 'text' ? part.text : part.kind
  }
  return JSON.stringify(
    turns.map(({ role, parts }) => [role, parts.filter(({ kind }) => kind !== 'reasoning').map(said)]),
  )
}

/** The reader, which remembers signed thoughts by the call that followed them. */
export function rememberingThoughts(
  reader: ReplyReader,
  memory: Memory,
  { client, turns }: Pick<Conversation, 'client' | 'turns'>,
): ReplyReader {
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
      if (thoughts.length && client === 'gemini') {
        memory.set(placeKeyOf(outlineOf(turns), event.call, event.name), JSON.stringify(thoughts))
      }
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
  const { client, turns } = conversation
  const keys = turns.map((turn, at) =>
    isWithout(turn, isOwn)
      ? keysOf(turn, client === 'gemini' ? () => outlineOf(turns.slice(0, at)) : undefined)
      : NO_KEYS,
  )
  if (keys.every(({ length }) => length === 0)) return conversation
  await memory.load?.(keys.flat())
  return { ...conversation, turns: turns.map((turn, at) => recalled(turn, keys[at] ?? NO_KEYS, { memory, isOwn })) }
}
const NO_KEYS: readonly string[] = []

/** A key for each call of a turn of the model; '' for one that nothing can be found by. */
function keysOf({ parts }: Turn, outline: (() => string) | undefined): string[] {
  const calls = parts.filter((part) => part.kind === 'call')
  return calls.map(({ id, name }, at) => {
    if (UNIQUE_ID.test(id)) return keyOf(id)
    return outline ? placeKeyOf(outline(), at, name) : ''
  })
}

/** Whether a turn of the model has none of its thoughts. */
function isWithout({ role, parts }: Turn, isOwn: IsOwn): boolean {
  return role === 'assistant' && !parts.some((part) => part.kind === 'reasoning' && isOwn(part))
}

function recalled(turn: Turn, keys: readonly string[], { memory, isOwn }: { memory: Memory; isOwn: IsOwn }): Turn {
  const { parts } = turn
  const firstCall = parts.findIndex(({ kind }) => kind === 'call')
  if (keys.length === 0 || firstCall < 0) return turn
  const thoughts = keys.map((key) => {
    const kept = key === '' ? undefined : memory.get(key)
    return kept === undefined ? [] : (JSON.parse(kept) as ReasoningPart[]).filter(isOwn)
  })
  // What came before the first call stands before the text as well: a turn with calls begins with a thought.
  let call = 0
  const others = parts.flatMap((part, at): Part[] => {
    if (part.kind !== 'call') return [part]
    const own = thoughts[call++] ?? []
    return at > firstCall ? [...own, part] : [part]
  })
  return { ...turn, parts: [...(thoughts[0] ?? []), ...others] }
}
