import type { Knex } from 'knex'
import { type Actor, ROLE, requireRole } from '../actor.ts'
import type { Database } from '../db/database.ts'
import { requireRow } from '../db/require-row.ts'
import { GatewayError } from '../errors.ts'
import { inParts } from '../in-parts.ts'
import { commaList, requireText, requireWholeNumber } from '../input.ts'
import type { Secrets } from '../secrets.ts'
import { initialStatus } from './batch.ts'
import { CHANNEL_ROW_COLUMNS, type Channel, type NewChannel } from './channel.ts'
import { checkAddress, checkFields, checkType, KEYS_LENGTH_MAX, tidyKeys } from './check.ts'
import { countAbilities, type EditChannels, PER_CHANNEL_MAX } from './routing/abilities.ts'
import { parseSettings } from './settings/settings.ts'
import { TEXT_LENGTH_MAX } from './settings/settings-check.ts'

const ROWS_PER_STATEMENT = 100
const TYPE_MAX = 2 ** 31 - 1
/** Maximum number of channels per `createAll`. */
const CHANNELS_AT_ONCE_MAX = 1000
/** Columns that a copy of a channel does not inherit. */
const NOT_COPIED = new Set<string>(
  commaList(`
    id, name, status, created_time, test_time, response_time, balance, balance_updated_time, used_quota, other_info
  `),
)
/** Maximum number of names to try for a copy. */
const COPIES_MAX = 1000
const NAME_START_MAX = 240

/** A rejected channel, by its index in the list. */
export interface RejectedChannel {
  at: number
  error: Error
}
interface CreateResult {
  created: Channel[]
  refused: RejectedChannel[]
}

/** Creates channels with unique names. */
export function createChannelCreation(parts: {
  db: Database
  edit: EditChannels
  secrets: Secrets
  now: () => number
  get: (actor: Actor, id: number) => Promise<Channel>
}) {
  const { db, edit, secrets, now, get } = parts
  const sealRow = ({ key, ...row }: CheckedChannel) => ({ ...row, key: secrets.seal(key), created_time: now() })

  /** Returns the taken names among `names`. Other transactions can check names only after this transaction. */
  async function takenNames(trx: Knex.Transaction, names: readonly string[]): Promise<Set<string>> {
    await db.serialize(trx, 'name of a channel')
    const taken = new Set<string>()
    for (const part of inParts(names, ROWS_PER_STATEMENT)) {
      for (const { name } of await trx('channels').whereIn('name', part).select('name')) taken.add(name)
    }
    return taken
  }

  return {
    /** Creates one channel with a unique name. Throws like `createMany`, and FIELD_REQUIRED, CHANNEL_NAME_TAKEN. */
    async create(actor: Actor, channel: NewChannel): Promise<Channel> {
      requireRole(actor, ROLE.admin)
      const row = checkedChannel(channel)
      const [id = 0] = await edit({ actor, action: 'channel.create' }, async (trx) => {
        if ((await takenNames(trx, [row.name])).size) throw new GatewayError('CHANNEL_NAME_TAKEN', { name: row.name })
        return insert(trx, [sealRow(row)])
      })
      return get(actor, id)
    },

    /**
     * Creates all channels, or none if one is rejected. With `checkOnly`, only checks. Returns, for each rejected
     * channel, the error that `create` would throw. Throws FIELD_TOO_MANY for more than CHANNELS_AT_ONCE_MAX channels,
     * or more abilities than one edit allows.
     */
    async createAll(
      actor: Actor,
      channels: readonly NewChannel[],
      { checkOnly = false }: { checkOnly?: boolean } = {},
    ): Promise<CreateResult> {
      requireRole(actor, ROLE.admin)
      if (channels.length > CHANNELS_AT_ONCE_MAX) {
        throw new GatewayError('FIELD_TOO_MANY', { field: 'channels', max: CHANNELS_AT_ONCE_MAX })
      }
      const refused: RejectedChannel[] = []
      const rows = new Map<number, CheckedChannel>()
      for (const [at, channel] of channels.entries()) {
        try {
          rows.set(at, checkedChannel(channel))
        } catch (error) {
          if (!(error instanceof GatewayError)) throw error
          refused.push({ at, error })
        }
      }
      const ids = await edit({ actor, action: 'channel.create' }, async (trx) => {
        const names = [...rows.values()].map(({ name }) => name)
        const taken = await takenNames(trx, names)
        for (const [at, { name }] of rows) {
          if (taken.has(name)) refused.push({ at, error: new GatewayError('CHANNEL_NAME_TAKEN', { name }) })
          taken.add(name)
        }
        return refused.length || checkOnly ? [] : insert(trx, [...rows.values()].map(sealRow))
      })
      const created: Channel[] = []
      for (const id of ids) created.push(await get(actor, id))
      return { created, refused: refused.sort((a, b) => a.at - b.at) }
    },

    /**
     * Copies a channel with its key, models and settings, but without counters and history. The copy of a disabled
     * channel is disabled. Without `name`, chooses a free name. Throws CHANNEL_NOT_FOUND, FIELD_*, CHANNEL_NAME_TAKEN.
     */
    async copy(actor: Actor, id: number, requestedName?: string): Promise<Channel> {
      requireRole(actor, ROLE.admin)
      const givenName =
        requestedName === undefined ? undefined : requireText('name', requestedName, { min: 1, max: 255 })
      const [copyId = 0] = await edit({ actor, action: 'channel.copy' }, async (trx) => {
        const columns = CHANNEL_ROW_COLUMNS.filter((column) => !NOT_COPIED.has(column))
        const source = await trx('channels')
          .where({ id })
          .first('name', 'status', 'key', ...columns)
        if (!source) throw new GatewayError('CHANNEL_NOT_FOUND', { id })
        const { name: sourceName, status, key, openai_organization, ...row } = source
        const candidateNames = givenName === undefined ? namesOfCopies(sourceName) : [givenName]
        const taken = await takenNames(trx, candidateNames)
        const name = candidateNames.find((each) => !taken.has(each))
        if (name === undefined) throw new GatewayError('CHANNEL_NAME_TAKEN', { name: givenName ?? sourceName })
        const fields = { ...row, name, open_ai_organization: openai_organization, status: initialStatus(status) }
        return insert(trx, [{ ...fields, key: secrets.seal(secrets.open(key)), created_time: now() }])
      })
      return get(actor, copyId)
    },
  }
}

type CheckedChannel = Record<string, unknown> & { name: string; key: string }

/**
 * Returns the row to store, with its key in clear text. Also checks JSON types, because an error of the route's schema
 * would not say which channel is wrong.
 */
function checkedChannel({ type: givenType, key: keys, status, ...fields }: NewChannel): CheckedChannel {
  if (givenType === undefined || givenType === null) throw new GatewayError('FIELD_REQUIRED', { field: 'type' })
  const number = requireWholeNumber('type', givenType, { min: 0, max: TYPE_MAX })
  const key = requireText('key', keys ?? '', { min: 0, max: KEYS_LENGTH_MAX })
  const type = checkType(number, { other: requireText('other', fields.other ?? '', { min: 0, max: TEXT_LENGTH_MAX }) })
  const row = { group: 'default', ...checkFields(fields), type: number, status: initialStatus(status || 1) }
  const { name = '', models = '', group } = row
  for (const [field, value] of Object.entries({ name, models, group })) {
    if (!value) throw new GatewayError('FIELD_REQUIRED', { field })
  }
  const credential = tidyKeys(key, parseSettings(row.setting ?? null).multiKeyMode)
  if (credential === '') throw new GatewayError('CHANNEL_KEY_MISSING')
  checkAddress(type, row.base_url ?? '')
  if (countAbilities({ models, group }) > PER_CHANNEL_MAX) {
    throw new GatewayError('FIELD_TOO_MANY', { field: 'models × group', max: PER_CHANNEL_MAX })
  }
  return { ...row, name, key: credential }
}

async function insert(trx: Knex.Transaction, rows: readonly Record<string, unknown>[]): Promise<number[]> {
  const ids: number[] = []
  for (const row of rows) {
    // Insert the rows one by one. If a column is absent only in some rows of a multi-row INSERT, SQLite stores NULL
    // there instead of the default.
    const [inserted] = await trx('channels').insert(row).returning('id')
    ids.push(Number(requireRow(inserted).id))
  }
  return ids
}

function namesOfCopies(name: string): string[] {
  const start = [...name].slice(0, NAME_START_MAX).join('')
  return Array.from({ length: COPIES_MAX }, (_, at) => `${start} copy${at ? ` ${at + 1}` : ''}`)
}
