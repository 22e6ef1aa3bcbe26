import { hash } from 'node:crypto'
import type { DialectName } from '../../../core/channels/operations.ts'
import type { Admitted } from '../admission/admission.ts'
import type { Body } from '../dialects/dialect.ts'
import { isObject, objectOf, textOf } from '../json.ts'

/*
 * Upstreams keep the beginning of a prompt, and ask less for it, where they have seen it before. So one conversation stays on
 * one channel. Nothing is remembered for it, and every process finds the same one: the random numbers of the choice are made
 * from what does not change from turn to turn. While the channels are the same, so is the choice; among many conversations
 * the shares of the channels are what their weights say.
 */

/** Fewer bytes are fewer tokens than the 1024 from which upstreams keep a prompt. */
const KEPT_BYTES_MIN = 1024
/** Of one side's words. The system's do not use up the room of the user's: thousands of conversations may begin with them. */
const WORDS_MAX = 1024
/** Of a long text as much from its beginning, and from its end: many begin alike. */
const CUT = 192
/** A prompt of legacy completions grows at its end: only this much of it is there from the first turn on. */
const PROMPT_MAX = 512
const NODES_MAX = 100
/** Turns that may come before the first of the user. */
const FIRST_TURNS_MAX = 16

type Asked = Pick<Admitted, 'entry' | 'caller' | 'model' | 'price' | 'channels' | 'raw' | 'body'>

/**
 * The random numbers to choose channels by, in [0, 1): for a conversation that an upstream may remember a sequence of its
 * own, else `Math.random`.
 */
export function randomFor(asked: Asked, { enabled }: { enabled: boolean }): () => number {
  const { entry, caller, model, price, channels, raw, body } = asked
  if (!enabled || entry.operation !== 'chat' || channels.size < 2 || price.cacheRatio >= 1) return Math.random
  const conversation = named(body, entry.dialect) ?? (raw.length < KEPT_BYTES_MIN ? '' : beginning(body, entry.dialect))
  if (conversation.trim() === '') return Math.random
  return sequence(`${caller.user.id}\n${caller.token.id}\n${model}\n${conversation}`)
}

/** What a client calls its conversation. */
function named(body: Body, dialect: DialectName): string | undefined {
  if (dialect === 'gemini') return undefined
  const own = dialect === 'anthropic-messages' ? objectOf(body.metadata).user_id : body.prompt_cache_key
  return textOf(own)?.slice(0, WORDS_MAX)
}

/** How a conversation begins, as far as that stays the same: the system's words and the user's first; '' when there are none. */
function beginning(body: Body, dialect: DialectName): string {
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

/** The texts in some JSON, one after the other. What else is in it counts for nothing. */
function wordsIn(json: unknown): string {
  let words = ''
  let nodes = 0
  const walk = (value: unknown): void => {
    if (words.length >= WORDS_MAX || ++nodes > NODES_MAX) return
    if (typeof value === 'string') words += cut(value)
    else if (Array.isArray(value)) for (const each of value.slice(0, NODES_MAX)) walk(each)
    // Marks of what is to be kept move on from turn to turn.
    else if (isObject(value)) for (const key in value) if (key !== 'cache_control') walk(value[key])
  }
  walk(json)
  return `${words}\n`
}

function cut(text: string): string {
  if (text.length <= 2 * CUT) return `${text}\n`
  return `${text.slice(0, CUT)}${text.length}${text.slice(-CUT)}\n`
}

/** Numbers in [0, 1) that are the same wherever the same name is given: mulberry32 over a digest. */
function sequence(name: string): () => number {
  let state = hash('sha1', name, 'buffer').readInt32LE(0)
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}
