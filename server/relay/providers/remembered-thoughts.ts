import { createHash } from 'node:crypto'
import type { Conversation, Part, ReasoningPart, ReplyEvent, Turn } from '../conversation/conversation.ts'
import type { ProviderContext, ReplyReader } from './provider.ts'

/*
 * Claude and the models of the Responses API think in the next turn only if the request contains the signed reasoning
 * that preceded each call. Most client formats have no field for this reasoning, so the gateway caches it by call.
 */
type Memory = ProviderContext['signatures']

/** Matches random call ids of Anthropic and OpenAI. Other ids may be counters, which are not unique. */
const UNIQUE_ID = /^(toolu|call)_[a-zA-Z0-9_]{16,}$/

const keyOf = (callId: string): string => `thoughts:${callId}`

/**
 * Returns the cache key for a call without an id, which Gemini's clients send. The key is a hash of all earlier turns,
 * the call's index and its name.
 */
const placeKeyOf = (outline: string, callIndex: number, name: string): string =>
  `turns:${createHash('sha256').update(`${outline} ${callIndex} ${name}`).digest('hex')}`

/** Returns turns as text, without ids, signatures and reasoning, because clients may change or omit these. */
function outlineOf(turns: readonly Turn[]): string {
  const partOutline = (part: Part): unknown => {
    if (part.kind === 'call') return part.name
    if (part.kind === 'result') return part.parts.map(partOutline)
    return part.kind === 'text' ? part.text : part.kind
  }
  return JSON.stringify(
    turns.map(({ role, parts }) => [role, parts.filter(({ kind }) => kind !== 'reasoning').map(partOutline)]),
  )
}

/** Wraps a reader, and caches signed reasoning by the key of the call that follows it. */
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
    } else if (event.kind === 'call' && thoughts.length > 0) {
      const stored = JSON.stringify(thoughts)
      if (UNIQUE_ID.test(event.id)) memory.set(keyOf(event.id), stored)
      if (client === 'gemini') memory.set(placeKeyOf(outlineOf(turns), event.call, event.name), stored)
      thoughts = []
    }
  }

  function rememberAll(events: ReplyEvent[]): ReplyEvent[] {
    events.forEach(remember)
    return events
  }

  return {
    event: (event) => rememberAll(reader.event(event)),
    whole: (body) => rememberAll(reader.whole(body)),
    close: () => rememberAll(reader.close?.() ?? []),
    ...(reader.repeatText && {
      repeatText(event, piece) {
        const events = reader.repeatText?.(event, piece)
        return events && rememberAll(events)
      },
    }),
  }
}

/** Returns whether this upstream signed the reasoning, and so accepts it. */
type IsOwn = (thought: ReasoningPart) => boolean

/** Inserts cached reasoning before the call that followed it, in assistant turns without reasoning of this upstream. */
export async function withRememberedThoughts(
  conversation: Conversation,
  memory: Memory,
  isOwn: IsOwn,
): Promise<Conversation> {
  const { client, turns } = conversation
  const keys = turns.map((turn, at) =>
    lacksReasoning(turn, isOwn)
      ? keysOf(turn, client === 'gemini' ? () => outlineOf(turns.slice(0, at)) : undefined)
      : NO_KEYS,
  )
  if (keys.every(({ length }) => length === 0)) return conversation
  await memory.load?.(keys.flat())
  return {
    ...conversation,
    turns: turns.map((turn, at) => withCachedReasoning(turn, keys[at] ?? NO_KEYS, { memory, isOwn })),
  }
}
const NO_KEYS: readonly string[] = []

/**
 * Returns a cache key for each call of a turn, or '' for a call without a usable id. `outline` is present only for
 * Gemini's clients.
 */
function keysOf({ parts }: Turn, outline: (() => string) | undefined): string[] {
  const calls = parts.filter((part) => part.kind === 'call')
  return calls.map(({ id, name }, at) => {
    if (UNIQUE_ID.test(id)) return keyOf(id)
    return outline ? placeKeyOf(outline(), at, name) : ''
  })
}

function lacksReasoning({ role, parts }: Turn, isOwn: IsOwn): boolean {
  return role === 'assistant' && !parts.some((part) => part.kind === 'reasoning' && isOwn(part))
}

function withCachedReasoning(
  turn: Turn,
  keys: readonly string[],
  { memory, isOwn }: { memory: Memory; isOwn: IsOwn },
): Turn {
  const { parts } = turn
  const firstCall = parts.findIndex(({ kind }) => kind === 'call')
  if (keys.length === 0 || firstCall < 0) return turn
  const thoughts = keys.map((key) => {
    const cached = key === '' ? undefined : memory.get(key)
    return cached === undefined ? [] : (JSON.parse(cached) as ReasoningPart[]).filter(isOwn)
  })
  // The reasoning of the first call goes to the start of the turn, because a turn with calls must begin with reasoning.
  let call = 0
  const others = parts.flatMap((part, at): Part[] => {
    if (part.kind !== 'call') return [part]
    const callThoughts = thoughts[call++] ?? []
    return at > firstCall ? [...callThoughts, part] : [part]
  })
  return { ...turn, parts: [...(thoughts[0] ?? []), ...others] }
}
