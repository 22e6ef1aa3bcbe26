import { hash } from 'node:crypto'
import type { DialectName } from '../../../core/channels/routing/operations.ts'
import type { Admitted } from '../admission/admission.ts'
import type { Body } from '../dialects/dialect.ts'
import { isObject, objectOf, textOf } from '../json.ts'

/*
 * Upstreams cache the beginning of a prompt, and charge less for it when they see it again. So one conversation stays on one
 * channel. Nothing is stored for this, and every process chooses the same channel: the random numbers derive from the parts of
 * a conversation that are the same in every turn. The choice is stable while the channels are; over many conversations,
 * channels get the shares of their weights.
 */

/** Upstreams cache prompts from 1024 tokens on; fewer bytes cannot be that many tokens. */
const KEPT_BYTES_MIN = 1024
/** Length limit per side. The system's text does not use up the user's share: thousands of conversations may start with it. */
const WORDS_MAX = 1024
/** Length kept from the beginning and from the end of a long text, because many texts begin alike. */
const CUT = 192
/** A prompt of legacy completions grows at its end: only this prefix exists from the first turn on. */
const PROMPT_MAX = 512
const NODES_MAX = 100
/** Maximum number of turns before the first user turn. */
const FIRST_TURNS_MAX = 16

type AffinityRequest = Pick<Admitted, 'entry' | 'caller' | 'model' | 'price' | 'channels' | 'raw' | 'body'>

/**
 * Returns random numbers in [0, 1) for the choice of channels: a fixed sequence per conversation that an upstream may cache,
 * else `Math.random`.
 */
export function randomFor(request: AffinityRequest, { enabled }: { enabled: boolean }): () => number {
  const { entry, caller, model, price, channels, raw, body } = request
  if (!enabled || entry.operation !== 'chat' || channels.size < 2 || price.cacheRatio >= 1) return Math.random
  const conversation =
    named(body, entry.dialect) ?? (raw.length < KEPT_BYTES_MIN ? '' : stablePrefix(body, entry.dialect))
  if (conversation.trim() === '') return Math.random
  return sequence(`${caller.user.id}\n${caller.token.id}\n${model}\n${conversation}`)
}

/** Returns the client's name of its conversation. */
function named(body: Body, dialect: DialectName): string | undefined {
  if (dialect === 'gemini') return undefined
  const name = dialect === 'anthropic-messages' ? objectOf(body.metadata).user_id : body.prompt_cache_key
  return textOf(name)?.slice(0, WORDS_MAX)
}

/** Returns the constant beginning of a conversation, the texts of the system and the user's first turn, or ''. */
function stablePrefix(body: Body, dialect: DialectName): string {
  switch (dialect) {
    case 'openai-chat':
      return firstWords(undefined, body.messages)
    case 'openai-completions':
      return typeof body.prompt === 'string' ? body.prompt.slice(0, PROMPT_MAX) : wordsIn(body.prompt)
    case 'openai-responses':
      return firstWords(body.instructions, body.input)
    case 'anthropic-messages':
      return firstWords(body.system, body.messages)
    case 'gemini':
      return firstWords(body.systemInstruction ?? body.system_instruction, body.contents)
  }
}

function firstWords(system: unknown, turns: unknown): string {
  if (!Array.isArray(turns)) return wordsIn(system) + wordsIn(turns)
  const first = turns.slice(0, FIRST_TURNS_MAX)
  const user = first.findIndex((turn) => isObject(turn) && (turn.role ?? 'user') === 'user')
  return wordsIn(system) + wordsIn(first.slice(0, Math.max(user, 0))) + wordsIn(first[user])
}

/** Joins the texts in a JSON value; ignores everything else. */
function wordsIn(json: unknown): string {
  let words = ''
  let nodes = 0
  const walk = (value: unknown): void => {
    if (words.length >= WORDS_MAX || ++nodes > NODES_MAX) return
    if (typeof value === 'string') words += cut(value)
    else if (Array.isArray(value)) for (const each of value.slice(0, NODES_MAX)) walk(each)
    // Clients move cache markers from turn to turn.
    else if (isObject(value)) for (const key in value) if (key !== 'cache_control') walk(value[key])
  }
  walk(json)
  return `${words}\n`
}

function cut(text: string): string {
  if (text.length <= 2 * CUT) return `${text}\n`
  return `${text.slice(0, CUT)}${text.length}${text.slice(-CUT)}\n`
}

/** Returns numbers in [0, 1) that depend only on the name: mulberry32 over a digest. */
function sequence(name: string): () => number {
  let state = hash('sha1', name, 'buffer').readInt32LE(0)
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}
