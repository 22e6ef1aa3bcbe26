import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Database } from '../db/database.ts'
import { toLogRow } from '../ledger/batch.ts'
import { LOG_TYPE } from '../logs/log.ts'
import { SENSITIVE_REFUSAL } from '../logs/texts.ts'
import type { Options } from '../options/options.ts'
import { OPTIONS } from '../options/registry.ts'
import { RememberedTexts } from '../remembered-texts.ts'
import { createFolding, readTags } from './folding.ts'
import { createMatcher, type Matcher } from './matcher.ts'

/** A rejected prompt, with its sender and the matched words. */
export interface SensitiveHit {
  readonly requestId: string
  readonly userId: number
  readonly username: string
  /** 0 for the playground. */
  readonly tokenId: number
  readonly tokenName: string
  readonly model: string
  readonly group: string
  readonly words: readonly string[]
}

/** Searches prompts for words that cause a rejection (option `SensitiveWords`), while both switches are on. */
export interface SensitiveWords {
  /** Whether there are words to search for. */
  isActive(): boolean
  /**
   * Returns the matched words in order, at most `WORDS_MAX`. The texts are searched as one text, so a word may continue from one
   * text to the next.
   */
  find(texts: readonly string[]): string[]
  /** Like `find`, but lets other work run during long texts. */
  findInTurns(texts: readonly string[]): Promise<string[]>
  /** Writes a log row for administrators, at most one per user and minute. */
  record(hit: SensitiveHit): Promise<void>
}

/** Maximum number of reported words, so that a log row does not contain the whole list. */
export const WORDS_MAX = 10
/** Number of code units to search without a pause: less than a millisecond for most lists. */
const SLICE = 16 * 1024
const MINUTE_S = 60
const REMEMBERED_LENGTH = 500_000

/** The matcher of the words, and the cached texts without any of these words. */
interface Search {
  readonly matcher: Matcher
  readonly clean: RememberedTexts<Passage>
}

/** The matcher's states before and after a text. */
interface Passage {
  readonly before: number
  readonly after: number
}

export function createSensitiveWords({
  db,
  options,
  now,
}: {
  db: Database
  options: Options
  now: () => number
}): SensitiveWords {
  let folding: Uint16Array | undefined
  let built: { version: number; list: string; search: Search | undefined } | undefined

  /** Returns the current search, or undefined if there are no words. Builds it on first use and after changes of the list. */
  function currentSearch(): Search | undefined {
    const { version } = options
    if (built?.version === version) return built.search
    const list = isSwitchedOn(options) ? options.get(OPTIONS.SensitiveWords) : ''
    if (built?.list === list) built = { ...built, version }
    else built = { version, list, search: list.trim() === '' ? undefined : build(list) }
    return built.search
  }

  function build(list: string): Search | undefined {
    folding ??= createFolding()
    const matcher = createMatcher(list, folding)
    return matcher.size === 0 ? undefined : { matcher, clean: new RememberedTexts(REMEMBERED_LENGTH) }
  }

  let minute = 0
  const recorded = new Set<number>()
  function isFirstOfMinute(userId: number): boolean {
    const current = Math.floor(now() / MINUTE_S)
    if (current !== minute) recorded.clear()
    minute = current
    const isFirst = !recorded.has(userId)
    recorded.add(userId)
    return isFirst
  }

  return {
    isActive: () => currentSearch() !== undefined,

    find(texts) {
      const found = new Set<string>()
      const search = currentSearch()
      if (!search) return []
      const { matcher, clean } = search
      let state = 0
      for (const text of withTags(texts)) {
        if (found.size >= WORDS_MAX) break
        const known = clean.get(text)
        if (known?.before === state) {
          state = known.after
          continue
        }
        const before = state
        state = matcher.search(text, { from: 0, to: text.length, state }, { found, max: WORDS_MAX })
        if (found.size === 0) clean.set(text, { before, after: state })
      }
      return [...found]
    },

    async findInTurns(texts) {
      const found = new Set<string>()
      // Use the same matcher for all texts, because its states are invalid in another matcher.
      const search = currentSearch()
      if (!search) return []
      const { matcher, clean } = search
      let left = SLICE
      let state = 0
      for (const text of withTags(texts)) {
        const known = clean.get(text)
        if (known?.before === state) {
          state = known.after
          continue
        }
        const before = state
        for (let from = 0; from < text.length && found.size < WORDS_MAX; ) {
          const to = Math.min(text.length, from + left)
          state = matcher.search(text, { from, to, state }, { found, max: WORDS_MAX })
          left -= to - from
          from = to
          if (left > 0) continue
          await nextTurn()
          left = SLICE
        }
        if (found.size === 0) clean.set(text, { before, after: state })
      }
      return [...found]
    },

    async record({ requestId, userId, username, tokenId, tokenName, model, group, words }) {
      if (!isFirstOfMinute(userId)) return
      const admin_info = { sensitive_words: words.slice(0, WORDS_MAX) }
      const fitted = toLogRow(
        {
          requestId,
          userId,
          username,
          tokenId,
          tokenName,
          channelId: 0,
          modelName: model,
          group,
          promptTokens: 0,
          completionTokens: 0,
          quota: 0,
          useTimeSeconds: 0,
          isStream: false,
          content: SENSITIVE_REFUSAL,
          other: JSON.stringify({ request_id: requestId, admin_info }),
        },
        now(),
      )
      // The id column is reserved for charges.
      const row = { ...fitted, type: LOG_TYPE.system, request_id: null }
      await db.transaction((trx) => trx('logs').insert(row))
    },
  }
}

/** Appends a second copy of all texts with decoded tag characters, if any text has them. */
function withTags(texts: readonly string[]): readonly string[] {
  if (!texts.some((text) => text.includes('\udb40'))) return texts
  return [...texts, ...texts.map((text) => readTags(text) ?? text)]
}

function isSwitchedOn(options: Options): boolean {
  return options.get(OPTIONS.CheckSensitiveEnabled) && options.get(OPTIONS.CheckSensitiveOnPromptEnabled)
}
