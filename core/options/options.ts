import { type Actor, ROLE, requireRole } from '../actor.ts'
import { recordChange } from '../changes/changes.ts'
import type { Follower } from '../changes/follower.ts'
import type { Database } from '../db/database.ts'
import { GatewayError } from '../errors.ts'
import type { Secrets } from '../secrets.ts'
import { findOption, missingPrerequisite, OPTIONS } from './registry.ts'
import type { Option } from './rows.ts'

export interface OptionValue {
  key: string
  value: string
}

export interface Options {
  /** The value in force, from memory. */
  get<T>(option: Option<T>): T
  /** Grows with every reload: whoever derives something from options knows by it when to derive it anew. */
  readonly version: number
  /** Every option that is not a secret, with its value in force. */
  list(actor: Actor): OptionValue[]
  /** The text of one option. Throws OPTION_UNKNOWN; for a secret, PERMISSION_DENIED: secrets are written, never read. */
  read(actor: Actor, key: string): string
  /** Checks and stores. Throws OPTION_UNKNOWN, OPTION_INVALID, OPTION_PREREQUISITE. */
  set(actor: Actor, key: string, value: string): Promise<void>
}

export async function createOptions({
  db,
  secrets,
  follower,
}: {
  db: Database
  secrets: Secrets
  follower: Follower
}): Promise<Options> {
  let stored = new Map<string, string>()
  let parsed = new Map<string, unknown>()
  let version = 0

  async function load(): Promise<void> {
    const rows = (await db.reader('options').select('key', 'value')) as OptionValue[]
    stored = new Map(rows.map(({ key, value }) => [key, findOption(key)?.secret ? secrets.open(value) : value]))
    parsed = new Map()
    version++
  }
  follower.on('option', load)
  await load()

  const textOf = (option: Option<unknown>) => stored.get(option.key) ?? option.default
  /** What an imported deployment stored may be out of today's bounds: then the default is in force. */
  function parsedOf(option: Option<unknown>): unknown {
    try {
      return option.parse(textOf(option))
    } catch {
      return option.parse(option.default)
    }
  }
  function require(key: string): Option<unknown> {
    const option = findOption(key)
    if (!option) throw new GatewayError('OPTION_UNKNOWN', { key })
    return option
  }

  return {
    get version() {
      return version
    },
    get<T>(option: Option<T>): T {
      if (!parsed.has(option.key)) parsed.set(option.key, parsedOf(option))
      return parsed.get(option.key) as T
    },
    list(actor) {
      requireRole(actor, ROLE.root)
      return Object.values(OPTIONS)
        .filter(({ secret }) => !secret)
        .map((option) => ({ key: option.key, value: textOf(option) }))
    },
    read(actor, key) {
      requireRole(actor, ROLE.root)
      const option = require(key)
      if (option.secret) throw new GatewayError('PERMISSION_DENIED')
      return textOf(option)
    },
    async set(actor, key, value) {
      requireRole(actor, ROLE.root)
      const option = require(key)
      const text = option.check(value)
      const missing = missingPrerequisite(key, text, (needed) => textOf(require(needed)))
      if (missing.length) throw new GatewayError('OPTION_PREREQUISITE', { key, missing: missing.join(', ') })
      await db.transaction(async (trx) => {
        const row = { key, value: option.secret ? secrets.seal(text) : text }
        await trx('options').insert(row).onConflict('key').merge(['value'])
        await recordChange(trx, 'option', [key])
      })
      await load()
    },
  }
}
