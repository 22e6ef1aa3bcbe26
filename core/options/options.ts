import type { Knex } from 'knex'
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
  /**
   * Checks and stores. Without a value a secret stays as it is, since a form that was not shown it sends it back so; any
   * other option takes it for an empty text. Throws OPTION_UNKNOWN, OPTION_* for what is wrong with it, and OPTION_*_UNCONFIGURED while what
   * the option rests on is not filled in.
   */
  set(actor: Actor, key: string, value: string | undefined): Promise<void>
  /** Forgets what was stored: the default is in force again. */
  reset(actor: Actor, option: Option<unknown>): Promise<void>
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
  const opened = (rows: OptionValue[]) =>
    rows.map(({ key, value }) => [key, findOption(key)?.secret ? secrets.open(value) : value] as const)

  async function load(): Promise<void> {
    stored = new Map(opened(await db.reader('options').select('key', 'value')))
    parsed = new Map()
    version++
  }
  follower.on('option', load)
  await load()

  /** What an imported deployment stored may be out of today's bounds: then the default is in force. */
  function textOf(option: Option<unknown>): string {
    const text = stored.get(option.key) ?? option.default
    try {
      option.parse(text)
      return text
    } catch {
      return option.default
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
      if (!parsed.has(option.key)) parsed.set(option.key, option.parse(textOf(option)))
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
      if (value === undefined && option.secret) return
      const text = option.check(value ?? '')
      await db.transaction(async (trx) => {
        await refuseUnprepared(trx, option, text)
        const row = { key, value: option.secret ? secrets.seal(text) : text }
        await trx('options').insert(row).onConflict('key').merge(['value'])
        await recordChange(trx, 'option', [key])
      })
      await follower.catchUp()
    },
    async reset(actor, { key }) {
      requireRole(actor, ROLE.root)
      await db.transaction(async (trx) => {
        await trx('options').where({ key }).delete()
        await recordChange(trx, 'option', [key])
      })
      await follower.catchUp()
    },
  }

  /** What an option rests on is read from the table: another process may have stored it a moment ago. */
  async function refuseUnprepared(
    trx: Knex.Transaction,
    { key, requires = [], refusal }: Option<unknown>,
    text: string,
  ) {
    if (!refusal || text !== 'true') return
    const rows = new Map(
      opened(
        await trx('options')
          .whereIn('key', [...requires])
          .select('key', 'value'),
      ),
    )
    const missing = missingPrerequisite(key, text, (needed) => rows.get(needed) ?? require(needed).default)
    if (missing.length) throw new GatewayError(refusal, { missing: missing.join(', ') })
  }
}
