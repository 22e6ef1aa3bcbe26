import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Database } from '../db/database.ts'
import { toLogRow } from '../ledger/batch.ts'
import { LOG_TYPE } from '../logs/log.ts'
import { SENSITIVE_REJECTION_TEXT } from '../logs/texts.ts'
import type { Options } from '../options/options.ts'
import { OPTIONS } from '../options/registry.ts'
import { RememberedTexts } from '../remembered-texts.ts'
import { createFolding, readTags } from './folding.ts'
import { createMatcher, type Matcher } from './matcher.ts'

/** A rejected prompt, its sender and the matched words. */
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

/**
 * Searches prompts for the words of option `SensitiveWords`, which cause a rejection. Searches only if the options
 * `CheckSensitiveEnabled` and `CheckSensitiveOnPromptEnabled` are on.
 */
export interface SensitiveWords {
  /** Whether there are words to search for. */
  isActive(): boolean
  /**
   * Returns at most `WORDS_MAX` matched words, in the order of their matches. The texts are searched as one text, so a
   * word may begin in one text and end in the next.
   */
  find(texts: readonly string[]): string[]
  /** Like `find`, but yields to other work during long texts. */
  findInTurns(texts: readonly string[]): Promise<string[]>
  /** Writes a log row, at most one per user and minute in this process. Only administrators see the words in it. */
  record(hit: SensitiveHit): Promise<void>
}

/** Maximum number of reported words. Log rows must not contain the whole list. */
const WORDS_MAX = 10
/** Number of code units to search without a pause. For most lists this takes less than a millisecond. */
const SLICE = 16 * 1024
const MINUTE_S = 60
const CACHE_LENGTH_MAX = 500_000

/** The matcher, and the cached texts in which it found no word. */
interface Search {
  readonly matcher: Matcher
  readonly clean: RememberedTexts<Passage>
}

/** The states of the matcher before and after a text. */
interface Passage {
  readonly before: number
  readonly after: number
}

export function createSensitiveWords(parts: { db: Database; options: Options; now: () => number }): SensitiveWords {
  const { db, options, now } = parts
  let folding: Uint16Array | undefined
  let built: { version: number; list: string; search: Search | undefined } | undefined

  /** Returns the current search, or undefined without words. Creates it on first use and after changes of the list. */
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
    return matcher.size === 0 ? undefined : { matcher, clean: new RememberedTexts(CACHE_LENGTH_MAX) }
  }

  let minute = 0
  const recordedUsers = new Set<number>()
  function isFirstOfMinute(userId: number): boolean {
    const current = Math.floor(now() / MINUTE_S)
    if (current !== minute) recordedUsers.clear()
    minute = current
    const isFirst = !recordedUsers.has(userId)
    recordedUsers.add(userId)
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
        const passage = clean.get(text)
        if (passage?.before === state) {
          state = passage.after
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
      // Use one matcher for all texts, because a state is valid only for its own matcher.
      const search = currentSearch()
      if (!search) return []
      const { matcher, clean } = search
      let remaining = SLICE
      let state = 0
      for (const text of withTags(texts)) {
        const passage = clean.get(text)
        if (passage?.before === state) {
          state = passage.after
          continue
        }
        const before = state
        for (let from = 0; from < text.length && found.size < WORDS_MAX; ) {
          const to = Math.min(text.length, from + remaining)
          state = matcher.search(text, { from, to, state }, { found, max: WORDS_MAX })
          remaining -= to - from
          from = to
          if (remaining > 0) continue
          await nextTurn()
          remaining = SLICE
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
          content: SENSITIVE_REJECTION_TEXT,
          other: JSON.stringify({ request_id: requestId, admin_info }),
        },
        now(),
      )
      // Only charges use the column request_id.
      const row = { ...fitted, type: LOG_TYPE.system, request_id: null }
      await db.transaction((trx) => trx('logs').insert(row))
    },
  }
}

/** If any text has tag characters, appends a second copy of all texts, in which the tag characters are decoded. */
function withTags(texts: readonly string[]): readonly string[] {
  if (!texts.some((text) => text.includes('\udb40'))) return texts
  return [...texts, ...texts.map((text) => readTags(text) ?? text)]
}

function isSwitchedOn(options: Options): boolean {
  return options.get(OPTIONS.CheckSensitiveEnabled) && options.get(OPTIONS.CheckSensitiveOnPromptEnabled)
}
