import type { Knex } from 'knex'
import { type Actor, ROLE, requireRole } from '../actor.ts'
import type { AuditAction } from '../audit/actions.ts'
import type { Audit, AuditedAct } from '../audit/audit.ts'
import type { Database } from '../db/database.ts'
import { whereStartsWith } from '../db/like.ts'
import { NEWEST_FIRST, readPage } from '../db/page.ts'
import { GatewayError } from '../errors.ts'
import { claimKey, type Idempotency } from '../idempotency.ts'
import { oneOf, type Page, type Paging, quotaAmount, wholeNumber } from '../input.ts'
import type { Ledger } from '../ledger/ledger.ts'
import type { Logs } from '../logs/logs.ts'
import { spendKeyAmount } from '../management-keys/amount.ts'
import type { Options } from '../options/options.ts'
import { OPTIONS } from '../options/registry.ts'
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
  /** Turns a code into quota on the actor's balance. Answers the quota added; throws REDEMPTION_KEY_MISSING, REDEMPTION_INVALID, REDEMPTION_USED, REDEMPTION_OWN. */
  redeem(actor: Actor, key: string): Promise<number>
}

export function createRedemption({
  db,
  ledger,
  logs,
  options,
  audit,
  now,
}: {
  db: Database
  ledger: Ledger
  logs: Logs
  options: Options
  audit: Audit
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

  /** Codes are as good as money: reading them is written down. Nothing is for what has none. */
  async function noteRead(actor: Actor, ids: readonly number[]): Promise<void> {
    if (ids.length > 0)
      await audit.note(actor, { action: 'redemption.read', object: objectOf(ids), after: rangeOf(ids) })
  }

  async function read(actor: Actor, id: number): Promise<Redemption> {
    const code = await find(id)
    await noteRead(actor, [id])
    return code
  }

  /** The status is tested inside the UPDATE: somebody may be redeeming the code. */
  async function change(
    { actor, id, action }: { actor: Actor; id: number; action: AuditAction },
    from: number[],
    to: Partial<Redemption> & { deleted_at?: string },
  ): Promise<void> {
    await db.transaction((trx) =>
      audit.around(trx, { actor, action, kind: 'redemption', rows: (rows) => rows.where({ id }) }, async () => {
        if (to.quota !== undefined) await spendKeyAmount(trx, actor, to.quota - (await quotaOf(trx, id)))
        const changed = await existing(trx).where({ id }).whereIn('status', from).update(to)
        if (changed) return
        const code = await existing(trx).where({ id }).first('id')
        throw new GatewayError(code ? 'REDEMPTION_NOT_EDITABLE' : 'REDEMPTION_NOT_FOUND', { id })
      }),
    )
  }

  async function quotaOf(trx: Knex.Transaction, id: number): Promise<number> {
    const code = await existing(trx).where({ id }).forUpdate().first('quota')
    return Number(code?.quota ?? 0)
  }

  /** Whether a code is worth what the actor made it worth. What the actor changed stands in the audit. */
  async function isOwn(trx: Knex.Transaction, actor: Actor, code: { id: number; user_id: number }): Promise<boolean> {
    if (code.user_id === actor.id) return true
    const edit = { actor_id: actor.id, action: 'redemption.update', object: `redemption:${code.id}` } as const
    return (await trx('audit').where(edit).first('id')) !== undefined
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
        if (batch?.made) {
          const codes = await codesOfBatch(trx, batch.id)
          await audit.write(trx, actor, readAgain(title, codes))
          return codes
        }
        await spendKeyAmount(trx, actor, quota * count)
        const codes = Array.from({ length: count }, () => randomHex(CODE_LENGTH))
        const fields = { user_id: actor.id, name: title, quota, created_time: now(), batch_id: batch?.id ?? null }
        const inserting = trx.batchInsert<Record<string, unknown>>(
          'redemptions',
          codes.map((key) => ({ ...fields, key })),
        )
        const ids = (await inserting.returning('id')).map(({ id }) => Number(id))
        const act = { action: 'redemption.create', object: objectOf(ids) } as const
        await audit.write(trx, actor, { ...act, after: { name: title, quota, ...rangeOf(ids) } })
        return batch ? codesOfBatch(trx, batch.id) : codes
      })
    },

    async made(actor, query) {
      requireRole(actor, ROLE.admin)
      const max = CODES_PER_BATCH / CODES_PER_CALL
      if (query.idempotencyKeys.length > max) {
        throw new GatewayError('FIELD_TOO_MANY', { field: 'idempotency_keys', max })
      }
      const name = nameOf(query.name)
      const made = await codesMade(db.reader, actor, { ...query, name })
      if (made.codes.length > 0) await audit.note(actor, readAgain(name, made.codes))
      return made
    },

    async get(actor, id) {
      requireRole(actor, ROLE.admin)
      return read(actor, id)
    },

    async update(actor, id, { name, quota }) {
      requireRole(actor, ROLE.admin)
      const changes = {
        ...(name !== undefined && { name: nameOf(name) }),
        ...(quota !== undefined && { quota: quotaAmount('quota', quota, 1) }),
      }
      if (Object.keys(changes).length === 0) return read(actor, id)
      await change({ actor, id, action: 'redemption.update' }, [REDEMPTION_STATUS.unused], changes)
      return find(id)
    },

    async setStatus(actor, id, status) {
      requireRole(actor, ROLE.admin)
      const { unused, disabled } = REDEMPTION_STATUS
      const to = oneOf('status', status, [unused, disabled])
      await change({ actor, id, action: 'redemption.status' }, [unused, disabled], { status: to })
      return find(id)
    },

    async delete(actor, id) {
      requireRole(actor, ROLE.admin)
      const deleted_at = new Date(now() * 1000).toISOString()
      await change({ actor, id, action: 'redemption.delete' }, Object.values(REDEMPTION_STATUS), { deleted_at })
    },

    async deleteNamed(actor, name) {
      requireRole(actor, ROLE.admin)
      const deleted_at = new Date(now() * 1000).toISOString()
      const named = nameOf(name)
      return db.transaction(async (trx) => {
        const gone = (await existing(trx).where({ name: named }).update({ deleted_at }).returning('id')) as {
          id: number
        }[]
        const ids = gone.map(({ id }) => id).sort((a, b) => a - b)
        const act = { action: 'redemption.delete', object: objectOf(ids) } as const
        if (ids.length > 0) await audit.write(trx, actor, { ...act, before: { name: named, ...rangeOf(ids) } })
        return ids.length
      })
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
      await noteRead(
        actor,
        page.items.map(({ id }) => id),
      )
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
        const code = await trx('redemptions').where({ key }).whereNull('deleted_at').first('id', 'quota', 'user_id')
        if (!code) throw new GatewayError('REDEMPTION_INVALID')
        if (!claimed) throw new GatewayError('REDEMPTION_USED')
        const own = actor.role < ROLE.root && (await isOwn(trx, actor, code))
        if (own && !options.get(OPTIONS.AdminRedeemOwnCodes)) throw new GatewayError('REDEMPTION_OWN')
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
        const act = { action: 'redemption.redeem', object: `redemption:${redemptionId}`, after: { quota } } as const
        if (own) await audit.write(trx, actor, act)
        return quota
      })
    },
  }
}

const objectOf = (ids: readonly number[]): string => (ids.length === 1 ? `redemption:${ids[0]}` : 'redemption')

/** Codes that were made before are told once more. */
function readAgain(name: string, codes: readonly string[]): AuditedAct {
  return { action: 'redemption.read', object: 'redemption', after: { name, count: codes.length } }
}

/** Which codes, without a code. */
function rangeOf(ids: readonly number[]) {
  return { count: ids.length, first_id: Math.min(...ids), last_id: Math.max(...ids) }
}

function nameOf(text: string): string {
  const name = text.trim()
  if (name === '' || [...name].length > NAME_LENGTH_MAX) throw new GatewayError('REDEMPTION_NAME')
  return name
}
