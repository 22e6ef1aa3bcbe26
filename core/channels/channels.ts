import { type Actor, ROLE, requireRole } from '../actor.ts'
import { recordChange } from '../changes/changes.ts'
import type { Follower } from '../changes/follower.ts'
import type { Database } from '../db/database.ts'
import { NEWEST_FIRST, readPage } from '../db/page.ts'
import { GatewayError } from '../errors.ts'
import { commaList, jsonMapOfTexts, oneOf, type Page, type Paging, textOf, wholeNumber } from '../input.ts'
import type { Secrets } from '../secrets.ts'
import { rebuildAbilities } from './abilities.ts'
import { CHANNEL_COLUMNS, CHANNEL_STATUS, type Channel, type NewChannel } from './channel.ts'
import { findChannelType } from './types.ts'

export interface ChannelQuery extends Paging {
  /** Part of a name, or an id. */
  keyword?: string
  group?: string
  model?: string
  status?: number
  tag?: string
}

/** Upstream accounts. Administrators only. */
export interface Channels {
  /** Throws FIELD_*, CHANNEL_TYPE_UNKNOWN, CHANNEL_KEY_MISSING, CHANNEL_BASE_URL_MISSING, CHANNEL_NAME_TAKEN. */
  create(actor: Actor, channel: NewChannel): Promise<Channel>
  /** Throws CHANNEL_NOT_FOUND. */
  get(actor: Actor, id: number): Promise<Channel>
  /** Highest priority first. */
  list(actor: Actor, query?: ChannelQuery): Promise<Page<Channel>>
  setStatus(actor: Actor, id: number, status: number): Promise<Channel>
  /** With its abilities; log rows keep the id. Throws CHANNEL_NOT_FOUND. */
  delete(actor: Actor, id: number): Promise<void>
  /** Keeps how long a test took. */
  recordTest(actor: Actor, id: number, milliseconds: number): Promise<void>
}

export function createChannels({
  db,
  secrets,
  follower,
  now,
}: {
  db: Database
  secrets: Secrets
  follower: Follower
  now: () => number
}): Channels {
  async function find(id: number): Promise<Channel> {
    const row = await db
      .reader('channels')
      .where({ id })
      .first(...CHANNEL_COLUMNS)
    if (!row) throw new GatewayError('CHANNEL_NOT_FOUND', { id })
    return { ...row, key: '' }
  }

  return {
    async create(actor, input) {
      requireRole(actor, ROLE.admin)
      const row = checkChannel(input)
      const id = await db.transaction(async (trx) => {
        await db.alone(trx, 'name of a channel')
        if (await trx('channels').where({ name: row.name }).first('id')) {
          throw new GatewayError('CHANNEL_NAME_TAKEN', { name: row.name })
        }
        const stored = { ...row, key: secrets.seal(row.key), created_time: now() }
        const [created] = (await trx('channels').insert(stored).returning('id')) as [{ id: number }]
        await rebuildAbilities(trx, [created.id])
        await recordChange(trx, 'channel', [created.id])
        return created.id
      })
      await follower.catchUp()
      return find(id)
    },

    async get(actor, id) {
      requireRole(actor, ROLE.admin)
      return find(id)
    },

    async list(actor, query = {}) {
      requireRole(actor, ROLE.admin)
      const { keyword, group, model, status, tag } = query
      const holds = (column: string, entry: string) =>
        db.reader.raw("',' || ?? || ',' LIKE ?", [column, `%,${entry},%`])
      const matching = db.reader('channels').modify((where) => {
        if (status) where.where({ status })
        if (tag) where.where({ tag })
        if (group) where.whereRaw(holds('group', group))
        if (model) where.whereRaw(holds('models', model))
        if (!keyword) return
        where.where((either) => {
          either.whereLike('name', `%${keyword}%`)
          if (/^\d{1,9}$/.test(keyword)) either.orWhere('id', Number(keyword))
        })
      })
      const order = [{ column: 'priority', order: 'desc' as const }, ...NEWEST_FIRST]
      const page = await readPage<Omit<Channel, 'key'>>(matching, query, { columns: CHANNEL_COLUMNS, order })
      return { ...page, items: page.items.map((row) => ({ ...row, key: '' })) }
    },

    async setStatus(actor, id, status) {
      requireRole(actor, ROLE.admin)
      oneOf('status', status, [CHANNEL_STATUS.enabled, CHANNEL_STATUS.disabled])
      await db.transaction(async (trx) => {
        if ((await trx('channels').where({ id }).update({ status })) === 0) {
          throw new GatewayError('CHANNEL_NOT_FOUND', { id })
        }
        await rebuildAbilities(trx, [id])
        await recordChange(trx, 'channel', [id])
      })
      await follower.catchUp()
      return find(id)
    },

    async delete(actor, id) {
      requireRole(actor, ROLE.admin)
      await db.transaction(async (trx) => {
        if ((await trx('channels').where({ id }).delete()) === 0) throw new GatewayError('CHANNEL_NOT_FOUND', { id })
        await rebuildAbilities(trx, [id])
        await recordChange(trx, 'channel', [id])
      })
      await follower.catchUp()
    },

    async recordTest(actor, id, milliseconds) {
      requireRole(actor, ROLE.admin)
      const measured = { response_time: Math.max(1, Math.round(milliseconds)), test_time: now() }
      await db.transaction((trx) => trx('channels').where({ id }).update(measured))
    },
  }
}

/** The row to store, with the key still in the clear. */
function checkChannel(input: NewChannel) {
  const type = findChannelType(input.type)
  if (!type) throw new GatewayError('CHANNEL_TYPE_UNKNOWN', { value: input.type })
  const key = input.key.trim()
  if (key === '') throw new GatewayError('CHANNEL_KEY_MISSING')
  const base_url = baseUrl(input.base_url ?? '')
  if (base_url === '' && type.baseUrlRequired) throw new GatewayError('CHANNEL_BASE_URL_MISSING', { type: type.name })
  const models = commaList(input.models)
  if (models.length === 0) throw new GatewayError('FIELD_REQUIRED', { field: 'models' })
  for (const model of models) textOf('models', model, { min: 1, max: 255 })
  const group = commaList(input.group ?? 'default')
  if (group.length === 0) throw new GatewayError('FIELD_REQUIRED', { field: 'group' })
  for (const name of group) textOf('group', name, { min: 1, max: 64 })
  return {
    name: textOf('name', input.name, { min: 1, max: 255 }),
    type: type.type,
    key,
    base_url,
    other: input.other ?? '',
    models: models.join(','),
    group: group.join(','),
    model_mapping: jsonMapOfTexts('model_mapping', input.model_mapping ?? '') || null,
    status_code_mapping: statusMapping(jsonMapOfTexts('status_code_mapping', input.status_code_mapping ?? '')),
    priority: wholeNumber('priority', input.priority ?? 0, { min: -999, max: 2 ** 31 }),
    weight: wholeNumber('weight', input.weight ?? 0, { min: 0, max: 2 ** 31 - 1 }),
    tag: input.tag || null,
    test_model: input.test_model || null,
    open_ai_organization: input.openai_organization || null,
    auto_ban: oneOf('auto_ban', input.auto_ban ?? 1, [0, 1]),
    setting: input.setting ?? '',
  }
}

function baseUrl(text: string): string {
  const trimmed = text.trim().replace(/\/+$/, '')
  if (trimmed === '') return ''
  if (!/^https?:$/.test(protocolOf(trimmed))) {
    throw new GatewayError('FIELD_TYPE', { field: 'base_url', expected: 'an http or https address', value: trimmed })
  }
  return trimmed
}

function protocolOf(text: string): string {
  try {
    return new URL(text).protocol
  } catch {
    return ''
  }
}

function statusMapping(json: string): string {
  const pairs = Object.entries(json ? (JSON.parse(json) as Record<string, string>) : {})
  for (const [from, to] of pairs) {
    if (![from, to].every((code) => /^[1-5]\d\d$/.test(code))) {
      throw new GatewayError('INVALID_INPUT', {
        reason: `status_code_mapping: ${from} → ${to} are not both HTTP statuses`,
      })
    }
  }
  return json
}
