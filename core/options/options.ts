import type { Knex } from 'knex'
import { type Actor, ROLE, requireRole } from '../actor.ts'
import type { AuditAction } from '../audit/actions.ts'
import type { Audit } from '../audit/audit.ts'
import { recordChange } from '../changes/changes.ts'
import type { Follower } from '../changes/follower.ts'
import type { Database } from '../db/database.ts'
import { GatewayError } from '../errors.ts'
import type { Secrets } from '../secrets.ts'
import { findOption, missingPrerequisites, OPTIONS } from './registry.ts'
import type { Option } from './rows.ts'

export interface OptionValue {
  key: string
  value: string
}

/** The new value of an option. */
export interface OptionChange extends OptionValue {
  /** The value that the caller has read. If the option has another value now, the change fails. Ignored for secrets. */
  was?: string | undefined
}

export interface Options {
  /** Returns the effective value of an option, from memory. */
  get<T>(option: Option<T>): T
  /** Increases with every reload, so that callers know when to rebuild values that they derived from options. */
  readonly version: number
  /** Returns every option that is not a secret, with its effective value. */
  list(actor: Actor): OptionValue[]
  /** Returns the keys of the secrets that have a value. The values themselves are never returned. */
  filledSecrets(actor: Actor): string[]
  /** Returns the text of one option. Throws OPTION_UNKNOWN, or OPTION_SECRET for a secret. */
  read(actor: Actor, key: string): string
  /**
   * Validates and stores an option. If `value` is undefined, a secret keeps its value, because forms do not send
   * secrets back. Other options become empty.
   *
   * Throws OPTION_UNKNOWN, OPTION_* for invalid values, and OPTION_*_UNCONFIGURED while a required option is empty.
   * Throws OPTION_NEEDED if an enabled option requires the option that would become empty.
   */
  set(actor: Actor, key: string, value: string | undefined): Promise<void>
  /**
   * Stores several options, all or none. The changes may include an option and the options that it requires, in any
   * order. Throws like `set`, and OPTION_CHANGED if a current value is not `was`.
   */
  change(actor: Actor, changes: readonly OptionChange[]): Promise<void>
  /** Deletes stored values, all or none. Defaults then apply. Throws OPTION_UNKNOWN, and OPTION_NEEDED like `set`. */
  reset(actor: Actor, keys: readonly string[]): Promise<void>
}

export async function createOptions(parts: {
  db: Database
  secrets: Secrets
  follower: Follower
  audit: Audit
}): Promise<Options> {
  const { db, secrets, follower, audit } = parts
  let stored = new Map<string, string>()
  let parsed = new Map<string, unknown>()
  let version = 0
  const decryptRows = (rows: OptionValue[]) =>
    rows.map(({ key, value }) => [key, findOption(key)?.secret ? secrets.open(value) : value] as const)

  async function load(): Promise<void> {
    stored = new Map(decryptRows(await db.reader('options').select('key', 'value')))
    parsed = new Map()
    version++
  }
  follower.on('option', load)
  await load()

  /** Returns a stored text, or the default if the text is invalid. Imported values may exceed our bounds. */
  function effectiveText(option: Option<unknown>, text = option.default): string {
    try {
      option.parse(text)
      return text
    } catch {
      return option.default
    }
  }
  const textOf = (option: Option<unknown>) => effectiveText(option, stored.get(option.key))
  function requireOption(key: string): Option<unknown> {
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
      const option = requireOption(key)
      if (option.secret) throw new GatewayError('OPTION_SECRET', { key: option.key })
      return textOf(option)
    },
    async set(actor, key, value) {
      requireRole(actor, ROLE.root)
      const option = requireOption(key)
      if (value === undefined && option.secret) return
      await store(actor, [{ option, text: option.check(value ?? '') }])
    },
    async change(actor, changes) {
      requireRole(actor, ROLE.root)
      const checked = changes.map(({ key, value, was }) => {
        const option = requireOption(key)
        return { option, text: option.check(value), was: option.secret ? undefined : was }
      })
      try {
        await store(actor, checked)
      } catch (error) {
        // Another process has changed the value. Load it, so that the next read returns it.
        if (error instanceof GatewayError && error.code === 'OPTION_CHANGED') await follower.catchUp()
        throw error
      }
    },
    async reset(actor, keys) {
      requireRole(actor, ROLE.root)
      const optionKeys = keys.map((key) => requireOption(key).key)
      await db.transaction(async (trx) => {
        await db.serialize(trx, 'options')
        await audit.around(trx, auditOf(actor, 'option.reset', optionKeys), async () => {
          await trx('options').whereIn('key', optionKeys).delete()
          await requireNotNeeded(trx, optionKeys)
          await recordChange(trx, 'option', optionKeys)
        })
      })
      await follower.catchUp()
    },
  }

  function auditOf(actor: Actor, action: AuditAction, keys: readonly string[]) {
    return { actor, action, kind: 'option' as const, rows: (rows: Knex.QueryBuilder) => rows.whereIn('key', keys) }
  }

  async function store(
    actor: Actor,
    changes: readonly { option: Option<unknown>; text: string; was?: string | undefined }[],
  ) {
    await db.transaction(async (trx) => {
      // Prevent other processes from changing options between the read and the write, even options without a row.
      await db.serialize(trx, 'options')
      for (const { option, was } of changes) {
        if (was !== undefined && (await storedIn(trx, option)) !== was) {
          throw new GatewayError('OPTION_CHANGED', { key: option.key })
        }
      }
      const keys = changes.map(({ option }) => option.key)
      await audit.around(
        trx,
        auditOf(actor, 'option.set', keys),
        async () => {
          for (const { option, text } of changes) {
            const row = { key: option.key, value: option.secret ? secrets.seal(text) : text }
            await trx('options').insert(row).onConflict('key').merge(['value'])
          }
          for (const { option, text } of changes) await requirePrerequisites(trx, option, text)
          await requireNotNeeded(trx, keys)
          await recordChange(trx, 'option', keys)
        },
        () => keys,
      )
    })
    await follower.catchUp()
  }

  /** Returns the effective value from the table, because another process may have changed it. */
  async function storedIn(trx: Knex.Transaction, option: Option<unknown>): Promise<string> {
    const row = await trx('options').where({ key: option.key }).first('value')
    return effectiveText(option, row?.value)
  }

  /** Throws OPTION_NEEDED if one of these options is now empty and an enabled option requires it. */
  async function requireNotNeeded(trx: Knex.Transaction, keys: readonly string[]): Promise<void> {
    const dependants = Object.values(OPTIONS).filter(({ requires = [] }) => requires.some((key) => keys.includes(key)))
    for (const dependant of dependants) {
      const missing = await missingFor(trx, dependant)
      const key = missing.find((each) => keys.includes(each))
      if (key !== undefined) throw new GatewayError('OPTION_NEEDED', { key, dependant: dependant.key })
    }
  }

  /** Throws if the option was set to `true` and requires an option that is empty. */
  async function requirePrerequisites(trx: Knex.Transaction, option: Option<unknown>, text: string): Promise<void> {
    if (!option.refusal || text !== 'true') return
    const missing = await missingFor(trx, option)
    if (missing.length) throw new GatewayError(option.refusal, { missing: missing.join(', ') })
  }

  /** Returns the keys of empty options that an enabled option requires. Reads the table, because memory may be stale. */
  async function missingFor(trx: Knex.Transaction, { key, requires = [] }: Option<unknown>): Promise<string[]> {
    const rows = await trx('options')
      .whereIn('key', [key, ...requires])
      .select('key', 'value')
    const values = new Map(decryptRows(rows))
    const textIn = (each: string) => values.get(each) ?? requireOption(each).default
    return missingPrerequisites(key, textIn(key), textIn)
  }
}
