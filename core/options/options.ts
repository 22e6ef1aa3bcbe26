import type { Knex } from 'knex'
import { type Actor, ROLE, requireRole } from '../actor.ts'
import type { AuditAction } from '../audit/actions.ts'
import type { Audit } from '../audit/audit.ts'
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

/** What an option is to become. */
export interface OptionChange extends OptionValue {
  /** Only while this is still its value: for whoever has looked at it, and thought about it, before. Not asked for a secret. */
  was?: string | undefined
}

export interface Options {
  /** The value in force, from memory. */
  get<T>(option: Option<T>): T
  /** Grows with every reload: whoever derives something from options knows by it when to derive it anew. */
  readonly version: number
  /** Every option that is not a secret, with its value in force. */
  list(actor: Actor): OptionValue[]
  /** The names of the secrets that have a value, which itself is never read. */
  filledSecrets(actor: Actor): string[]
  /** The text of one option. Throws OPTION_UNKNOWN; for a secret, OPTION_SECRET: secrets are written, never read. */
  read(actor: Actor, key: string): string
  /**
   * Checks and stores. Without a value a secret stays as it is, since a form that was not shown it sends it back so; any
   * other option takes it for an empty text. Throws OPTION_UNKNOWN, OPTION_* for what is wrong with it, OPTION_*_UNCONFIGURED while
   * what the option needs is not filled in, and OPTION_NEEDED if it would be empty while an enabled option needs it.
   */
  set(actor: Actor, key: string, value: string | undefined): Promise<void>
  /**
   * Several at once, all or none. What one needs may be among them, in any order. Throws what `set` does, and OPTION_CHANGED
   * if one has changed since it was `was`.
   */
  change(actor: Actor, changes: readonly OptionChange[]): Promise<void>
  /** Forgets what was stored: the defaults are in force again. All or none. Throws OPTION_UNKNOWN, and OPTION_NEEDED as `change` does. */
  reset(actor: Actor, keys: readonly string[]): Promise<void>
}

export async function createOptions({
  db,
  secrets,
  follower,
  audit,
}: {
  db: Database
  secrets: Secrets
  follower: Follower
  audit: Audit
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
  function inForce(option: Option<unknown>, text = option.default): string {
    try {
      option.parse(text)
      return text
    } catch {
      return option.default
    }
  }
  const textOf = (option: Option<unknown>) => inForce(option, stored.get(option.key))
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
    filledSecrets(actor) {
      requireRole(actor, ROLE.root)
      return Object.values(OPTIONS)
        .filter((option) => option.secret && textOf(option) !== '')
        .map(({ key }) => key)
    },
    read(actor, key) {
      requireRole(actor, ROLE.root)
      const option = require(key)
      if (option.secret) throw new GatewayError('OPTION_SECRET', { key: option.key })
      return textOf(option)
    },
    async set(actor, key, value) {
      requireRole(actor, ROLE.root)
      const option = require(key)
      if (value === undefined && option.secret) return
      await store(actor, [{ option, text: option.check(value ?? '') }])
    },
    async change(actor, changes) {
      requireRole(actor, ROLE.root)
      const checked = changes.map(({ key, value, was }) => {
        const option = require(key)
        return { option, text: option.check(value), was: option.secret ? undefined : was }
      })
      try {
        await store(actor, checked)
      } catch (error) {
        // Who looks again now must see what the other has written.
        if (error instanceof GatewayError && error.code === 'OPTION_CHANGED') await follower.catchUp()
        throw error
      }
    },
    async reset(actor, keys) {
      requireRole(actor, ROLE.root)
      const known = keys.map((key) => require(key).key)
      await db.transaction(async (trx) => {
        await db.alone(trx, 'options')
        await audit.around(trx, audited(actor, 'option.reset', known), async () => {
          await trx('options').whereIn('key', known).delete()
          await refuseNeeded(trx, known)
          await recordChange(trx, 'option', known)
        })
      })
      await follower.catchUp()
    },
  }

  function audited(actor: Actor, action: AuditAction, keys: readonly string[]) {
    return { actor, action, kind: 'option' as const, rows: (rows: Knex.QueryBuilder) => rows.whereIn('key', keys) }
  }

  async function store(
    actor: Actor,
    changes: readonly { option: Option<unknown>; text: string; was?: string | undefined }[],
  ) {
    await db.transaction(async (trx) => {
      // Nobody else changes an option between the look and the write, not even one that has no row yet.
      await db.alone(trx, 'options')
      for (const { option, was } of changes) {
        if (was !== undefined && (await storedIn(trx, option)) !== was) {
          throw new GatewayError('OPTION_CHANGED', { key: option.key })
        }
      }
      const keys = changes.map(({ option }) => option.key)
      await audit.around(
        trx,
        audited(actor, 'option.set', keys),
        async () => {
          for (const { option, text } of changes) {
            const row = { key: option.key, value: option.secret ? secrets.seal(text) : text }
            await trx('options').insert(row).onConflict('key').merge(['value'])
          }
          for (const { option, text } of changes) await refuseUnprepared(trx, option, text)
          await refuseNeeded(trx, keys)
          await recordChange(trx, 'option', keys)
        },
        () => keys,
      )
    })
    await follower.catchUp()
  }

  /** The value in force by the table, which another process may have written a moment ago. */
  async function storedIn(trx: Knex.Transaction, option: Option<unknown>): Promise<string> {
    const row = await trx('options').where({ key: option.key }).first('value')
    return inForce(option, row?.value)
  }

  /** Looks at the rows after the write. */
  async function refuseNeeded(trx: Knex.Transaction, keys: readonly string[]): Promise<void> {
    const dependants = Object.values(OPTIONS).filter(({ requires = [] }) => requires.some((key) => keys.includes(key)))
    for (const { key: dependant, requires = [] } of dependants) {
      const rows = await trx('options')
        .whereIn('key', [dependant, ...requires])
        .select('key', 'value')
      const values = new Map(opened(rows))
      const textIn = (key: string) => values.get(key) ?? require(key).default
      const missing = missingPrerequisite(dependant, textIn(dependant), textIn)
      const key = missing.find((each) => keys.includes(each))
      if (key !== undefined) throw new GatewayError('OPTION_NEEDED', { key, dependant })
    }
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
