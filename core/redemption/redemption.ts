import type { Knex } from 'knex'
import { type Actor, ROLE, requireRole } from '../actor.ts'
import type { Database } from '../db/database.ts'
import { whereStartsWith } from '../db/like.ts'
import { NEWEST_FIRST, readPage } from '../db/page.ts'
import { GatewayError } from '../errors.ts'
import { claimKey, type Idempotency } from '../idempotency.ts'
import { oneOf, type Page, type Paging, quotaAmount, wholeNumber } from '../input.ts'
import type { Ledger } from '../ledger/ledger.ts'
import type { Logs } from '../logs/logs.ts'
import { randomHex } from '../secrets.ts'
import { codesMade, codesOfBatch, type MadeCodes, type MadeQuery } from './batches.ts'
import type { Redemption } from './schema.ts'
import { REDEMPTION_STATUS } from './status.ts'

export type { Redemption } from './schema.ts'
export { REDEMPTION_STATUS } from './status.ts'

/** The most codes one call makes. */
export const CODES_PER_CALL = 100
/** The most that are made under one name in several calls. */
export const CODES_PER_BATCH = 100_000
const CODE_LENGTH = 32
const NAME_LENGTH_MAX = 20

const COLUMNS = [
  'id',
  'user_id',
  'key',
  'status',
  'name',
  'quota',
  'created_time',
  'redeemed_time',
  'used_user_id',
  'deleted_at as DeletedAt',
] as const

export interface NewCodes {
  name: string
  /** What each is worth. */
  quota: number
  count: number
  /** How many the whole batch has when it is made in several calls: a part of what an idempotency key stands for. */
  total?: number
}

export interface RedemptionFilter {
  /** The start of a name, or an id. */
  keyword?: string
  /** The whole name. */
  name?: string
  status?: number
  /** Only smaller ids: pages that follow the last row seen miss none when others leave the list meanwhile. */
  beforeId?: number
}

export interface Redemptions {
  /**
   * Makes codes, all or none. Answers them; with an idempotency key that has made them before, the same ones again. Throws
   * REDEMPTION_NAME, REDEMPTION_COUNT_*, FIELD_*, IDEMPOTENCY_KEY_*.
   */
  create(actor: Actor, batch: NewCodes, idempotency?: Idempotency): Promise<string[]>
  /**
   * The codes that the actor's keys have made already, in the order of the keys and up to the first that has made none. Throws
   * IDEMPOTENCY_KEY_*, FIELD_TOO_MANY, and IDEMPOTENCY_KEY_REUSED when they were made for another batch.
   */
  made(actor: Actor, query: MadeQuery): Promise<MadeCodes>
  /** Throws REDEMPTION_NOT_FOUND. */
  get(actor: Actor, id: number): Promise<Redemption>
  /** Changes what is given. Throws REDEMPTION_NOT_FOUND, REDEMPTION_NAME, FIELD_*, and REDEMPTION_NOT_EDITABLE unless it is unused. */
  update(actor: Actor, id: number, changes: { name?: string; quota?: number }): Promise<Redemption>
  /** Disables an unused code, or enables it again. Throws REDEMPTION_NOT_FOUND, REDEMPTION_NOT_EDITABLE for a used one. */
  setStatus(actor: Actor, id: number, status: number): Promise<Redemption>
  /** Soft: the code is worth nothing from now on, the row stays. Throws REDEMPTION_NOT_FOUND. */
  delete(actor: Actor, id: number): Promise<void>
  /** All codes of exactly that name. Answers how many there were. */
  deleteNamed(actor: Actor, name: string): Promise<number>
  /** Newest first. */
  list(actor: Actor, query?: Paging & RedemptionFilter): Promise<Page<Redemption>>
  /** Turns a code into quota on the actor's balance. Answers the quota added; throws REDEMPTION_KEY_MISSING, REDEMPTION_INVALID, REDEMPTION_USED. */
  redeem(actor: Actor, key: string): Promise<number>
}

export function createRedemption({
  db,
  ledger,
  logs,
  now,
}: {
  db: Database
  ledger: Ledger
  logs: Logs
  now: () => number
}): Redemptions {
  const existing = (connection: Knex) => connection('redemptions').whereNull('deleted_at')

  async function find(id: number): Promise<Redemption> {
    const row = await existing(db.reader)
      .where({ id })
      .first(...COLUMNS)
    if (!row) throw new GatewayError('REDEMPTION_NOT_FOUND', { id })
    return { ...row, count: 0 }
  }

  /** The status is tested inside the UPDATE: somebody may be redeeming the code. */
  async function change(id: number, from: number[], to: Partial<Redemption>): Promise<Redemption> {
    await db.transaction(async (trx) => {
      const changed = await existing(trx).where({ id }).whereIn('status', from).update(to)
      if (changed) return
      const code = await existing(trx).where({ id }).first('id')
      throw new GatewayError(code ? 'REDEMPTION_NOT_EDITABLE' : 'REDEMPTION_NOT_FOUND', { id })
    })
    return find(id)
  }

  return {
    async create(actor, { name, quota, count, total = count }, idempotency) {
      requireRole(actor, ROLE.admin)
      const title = nameOf(name)
      if (!(count > 0)) throw new GatewayError('REDEMPTION_COUNT_POSITIVE')
      if (count > CODES_PER_CALL) throw new GatewayError('REDEMPTION_COUNT_MAX', { max: CODES_PER_CALL })
      wholeNumber('count', count, { min: 1, max: CODES_PER_CALL })
      wholeNumber('total', total, { min: count, max: CODES_PER_BATCH })
      quotaAmount('quota', quota, 1)
      return db.transaction(async (trx) => {
        const request = { name: title, quota, count, total }
        const claim = { actor, request, now: now() }
        const batch = idempotency && (await claimKey(trx, 'redemption_batches', claim, idempotency))
        if (batch?.made) return codesOfBatch(trx, batch.id)
        const codes = Array.from({ length: count }, () => randomHex(CODE_LENGTH))
        const fields = { user_id: actor.id, name: title, quota, created_time: now(), batch_id: batch?.id ?? null }
        await trx.batchInsert(
          'redemptions',
          codes.map((key) => ({ ...fields, key })),
        )
        return batch ? codesOfBatch(trx, batch.id) : codes
      })
    },

    async made(actor, query) {
      requireRole(actor, ROLE.admin)
      const max = CODES_PER_BATCH / CODES_PER_CALL
      if (query.idempotencyKeys.length > max) {
        throw new GatewayError('FIELD_TOO_MANY', { field: 'idempotency_keys', max })
      }
      return codesMade(db.reader, actor, { ...query, name: nameOf(query.name) })
    },

    async get(actor, id) {
      requireRole(actor, ROLE.admin)
      return find(id)
    },

    async update(actor, id, { name, quota }) {
      requireRole(actor, ROLE.admin)
      const changes = {
        ...(name !== undefined && { name: nameOf(name) }),
        ...(quota !== undefined && { quota: quotaAmount('quota', quota, 1) }),
      }
      if (Object.keys(changes).length === 0) return find(id)
      return change(id, [REDEMPTION_STATUS.unused], changes)
    },

    async setStatus(actor, id, status) {
      requireRole(actor, ROLE.admin)
      const { unused, disabled } = REDEMPTION_STATUS
      return change(id, [unused, disabled], { status: oneOf('status', status, [unused, disabled]) })
    },

    async delete(actor, id) {
      requireRole(actor, ROLE.admin)
      const deleted_at = new Date(now() * 1000).toISOString()
      const deleted = await db.transaction((trx) => existing(trx).where({ id }).update({ deleted_at }))
      if (!deleted) throw new GatewayError('REDEMPTION_NOT_FOUND', { id })
    },

    async deleteNamed(actor, name) {
      requireRole(actor, ROLE.admin)
      const deleted_at = new Date(now() * 1000).toISOString()
      return db.transaction((trx) =>
        existing(trx)
          .where({ name: nameOf(name) })
          .update({ deleted_at }),
      )
    },

    async list(actor, query = {}) {
      requireRole(actor, ROLE.admin)
      const { keyword, name, status, beforeId } = query
      const matching = existing(db.reader).modify((where) => {
        if (status) where.where({ status })
        if (name !== undefined) where.where({ name })
        if (beforeId !== undefined) where.where('id', '<', beforeId)
        if (!keyword) return
        where.where((either) => {
          whereStartsWith(either, 'name', keyword)
          if (/^\d{1,9}$/.test(keyword)) either.orWhere('id', Number(keyword))
        })
      })
      const page = await readPage<Omit<Redemption, 'count'>>(matching, query, { columns: COLUMNS, order: NEWEST_FIRST })
      return { ...page, items: page.items.map((row) => ({ ...row, count: 0 })) }
    },

    async redeem(actor, given) {
      const key = given.trim()
      if (key === '') throw new GatewayError('REDEMPTION_KEY_MISSING')
      return db.transaction(async (trx) => {
        // The status is tested inside the UPDATE: when two people race for one code, the database picks the winner.
        const claimed = await trx('redemptions')
          .where({ key, status: REDEMPTION_STATUS.unused })
          .whereNull('deleted_at')
          .update({ status: REDEMPTION_STATUS.used, used_user_id: actor.id, redeemed_time: now() })
        const code = await trx('redemptions').where({ key }).whereNull('deleted_at').first('id', 'quota')
        if (!code) throw new GatewayError('REDEMPTION_INVALID')
        if (!claimed) throw new GatewayError('REDEMPTION_USED')
        const { id: redemptionId, quota } = code
        const entry = {
          userId: actor.id,
          quota,
          kind: 'redemption',
          actorId: actor.id,
          reference: `code-${redemptionId}`,
        } as const
        await ledger.credit(trx, entry)
        const { username } = await trx('users').where({ id: actor.id }).first('username')
        await logs.write(trx, { type: 'topUp', userId: actor.id, username, text: 'redeemed', quota, redemptionId })
        return quota
      })
    },
  }
}

function nameOf(text: string): string {
  const name = text.trim()
  if (name === '' || [...name].length > NAME_LENGTH_MAX) throw new GatewayError('REDEMPTION_NAME')
  return name
}
