import { hash } from 'node:crypto'
import type { DialectName } from '../../../core/channels/routing/operations.ts'
import { isRecord, recordOf } from '../../../core/records.ts'
import type { Admitted } from '../admission/admission.ts'
import type { Body } from '../dialects/dialect.ts'
import { textOf } from '../json.ts'

/*
 * Chooses the same channel for all turns of a conversation, because upstreams charge less for the cached start of a
 * prompt.
 *
 * The choice uses random numbers that derive from text which every turn contains. So all processes choose the same
 * channel, without storing anything.
 *
 * The choice changes only if the channels change. Each channel gets conversations in proportion to its weight.
 */

/**
 * Upstreams do not cache bodies with fewer bytes. They cache prompts of 1024 tokens or more, and a token has at least
 * one byte.
 */
const CACHED_BYTES_MIN = 1024
/**
 * Maximum characters of the instructions, and also of the user's text. The limits are separate, because many
 * conversations may share their instructions.
 */
const TEXT_LENGTH_MAX = 1024
/**
 * Number of characters that `shorten` takes from the start and from the end of a long text. The start is not enough,
 * because many texts start alike.
 */
const EDGE_LENGTH = 192
/**
 * Number of characters of a legacy completion's prompt that identify the conversation. Later turns only append to the
 * prompt.
 */
const PROMPT_MAX = 512
const NODES_MAX = 100
/** Number of turns that are searched for the user's first turn. */
const FIRST_TURNS_MAX = 16

type AffinityRequest = Pick<Admitted, 'entry' | 'caller' | 'model' | 'price' | 'channels' | 'raw' | 'body'>

/**
 * Returns a function for random numbers in [0, 1) that choose channels.
 *
 * A conversation that an upstream may cache gets its own fixed sequence. Other requests get `Math.random`.
 */
export function randomFor(request: AffinityRequest, { enabled }: { enabled: boolean }): () => number {
  const { entry, caller, model, price, channels, raw, body } = request
  if (!enabled || entry.operation !== 'chat' || channels.size < 2 || price.cacheRatio >= 1) return Math.random
  const conversation =
    conversationName(body, entry.dialect) ?? (raw.length < CACHED_BYTES_MIN ? '' : stablePrefix(body, entry.dialect))
  if (conversation.trim() === '') return Math.random
  return randomSequence(`${caller.user.id}\n${caller.token.id}\n${model}\n${conversation}`)
}

/** Returns the name that the client gives to the conversation, if any. */
function conversationName(body: Body, dialect: DialectName): string | undefined {
  if (dialect === 'gemini') return undefined
  const name = dialect === 'anthropic-messages' ? recordOf(body.metadata).user_id : body.prompt_cache_key
  return textOf(name)?.slice(0, TEXT_LENGTH_MAX)
}

/** Returns the text that is the same in every turn: the instructions and the user's first turn. */
function stablePrefix(body: Body, dialect: DialectName): string {
  switch (dialect) {
    case 'openai-chat':
      return firstTexts(undefined, body.messages)
    case 'openai-completions':
      return typeof body.prompt === 'string' ? body.prompt.slice(0, PROMPT_MAX) : textsIn(body.prompt)
    case 'openai-responses':
      return firstTexts(body.instructions, body.input)
    case 'anthropic-messages':
      return firstTexts(body.system, body.messages)
    case 'gemini':
      return firstTexts(body.systemInstruction ?? body.system_instruction, body.contents)
  }
}

function firstTexts(system: unknown, turns: unknown): string {
  if (!Array.isArray(turns)) return textsIn(system) + textsIn(turns)
  const first = turns.slice(0, FIRST_TURNS_MAX)
  const user = first.findIndex((turn) => isRecord(turn) && (turn.role ?? 'user') === 'user')
  return textsIn(system) + textsIn(first.slice(0, Math.max(user, 0))) + textsIn(first[user])
}

/** Joins all strings in a JSON value, up to `TEXT_LENGTH_MAX` and `NODES_MAX`. */
function textsIn(json: unknown): string {
  let texts = ''
  let nodes = 0
  const walk = (value: unknown): void => {
    if (texts.length >= TEXT_LENGTH_MAX || ++nodes > NODES_MAX) return
    if (typeof value === 'string') texts += shorten(value)
    else if (Array.isArray(value)) for (const item of value.slice(0, NODES_MAX)) walk(item)
    // Skip cache markers, because clients move them from turn to turn.
    else if (isRecord(value)) for (const key in value) if (key !== 'cache_control') walk(value[key])
  }
  walk(json)
  return `${texts}\n`
}

function shorten(text: string): string {
  if (text.length <= 2 * EDGE_LENGTH) return `${text}\n`
  return `${text.slice(0, EDGE_LENGTH)}${text.length}${text.slice(-EDGE_LENGTH)}\n`
}

/**
 * Returns a function for numbers in [0, 1) that depend only on the name. Uses mulberry32 with a digest as the seed.
 */
function randomSequence(name: string): () => number {
  let state = hash('sha1', name, 'buffer').readInt32LE(0)
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}
