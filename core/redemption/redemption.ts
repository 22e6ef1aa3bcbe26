import type { Knex } from 'knex'
import { type Actor, ROLE, requireRole, USER_KIND } from '../actor.ts'
import type { AuditAction } from '../audit/actions.ts'
import type { Audit, AuditedAct } from '../audit/audit.ts'
import type { Database } from '../db/database.ts'
import { whereStartsWith } from '../db/like.ts'
import { NEWEST_FIRST, orderOf, readPage, type Sort } from '../db/page.ts'
import { requireRow } from '../db/require-row.ts'
import { GatewayError } from '../errors.ts'
import { claimKey, type Idempotency } from '../idempotency.ts'
import { oneOf, type Page, type Paging, requireQuota, requireWholeNumber } from '../input.ts'
import type { Ledger } from '../ledger/ledger.ts'
import type { Logs } from '../logs/logs.ts'
import { spendKeyAmount } from '../management-keys/amount.ts'
import type { Options } from '../options/options.ts'
import { OPTIONS } from '../options/registry.ts'
import { randomHex } from '../secrets.ts'
import { type CreatedCodes, type CreatedCodesQuery, codesOfCall, findCreatedCodes } from './batches.ts'
import type { Redemption } from './schema.ts'
import { REDEMPTION_STATUS } from './status.ts'

export type { Redemption } from './schema.ts'
export { REDEMPTION_STATUS } from './status.ts'

/** Maximum number of codes per call. */
export const CODES_PER_CALL = 100
/** Maximum number of codes per batch. A large batch takes several calls. */
const CODES_PER_BATCH = 100_000
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

interface NewCodes {
  name: string
  /** Quota of each code. */
  quota: number
  count: number
  /** Number of codes in the whole batch, if it takes several calls. All these calls must send the same number. */
  total?: number
}

export const REDEMPTION_SORTS = ['id', 'name', 'status', 'quota', 'created_time', 'redeemed_time'] as const

export interface RedemptionFilter extends Sort<(typeof REDEMPTION_SORTS)[number]> {
  /** The start of a name, or an id. */
  keyword?: string
  /** The exact name. */
  name?: string
  status?: number
  /** Only codes with a smaller id. Unlike page numbers, this misses no codes if other codes are deleted meanwhile. */
  beforeId?: number
}

export type Redemptions = ReturnType<typeof createRedemption>

export function createRedemption(parts: {
  db: Database
  ledger: Ledger
  logs: Logs
  options: Options
  audit: Audit
  now: () => number
}) {
  const { db, ledger, logs, options, audit, now } = parts
  const existingCodes = (connection: Knex) => connection('redemptions').whereNull('deleted_at')

  async function requireCode(id: number): Promise<Redemption> {
    const row = await existingCodes(db.reader)
      .where({ id })
      .first(...COLUMNS)
    if (!row) throw new GatewayError('REDEMPTION_NOT_FOUND', { id })
    return { ...row, count: 0 }
  }

  /** Audits that the actor has read these codes, because codes are worth money. Does nothing for an empty list. */
  async function noteRead(actor: Actor, ids: readonly number[]): Promise<void> {
    if (ids.length > 0)
      await audit.writeAlone(actor, { action: 'redemption.read', object: objectOf(ids), after: rangeOf(ids) })
  }

  async function read(actor: Actor, id: number): Promise<Redemption> {
    const code = await requireCode(id)
    await noteRead(actor, [id])
    return code
  }

  /** Changes a code. The UPDATE checks the status, because a user may redeem the code at the same time. */
  async function change(
    { actor, id, action }: { actor: Actor; id: number; action: AuditAction },
    from: number[],
    to: Partial<Redemption> & { deleted_at?: string },
  ): Promise<void> {
    await db.transaction((trx) =>
      audit.around(trx, { actor, action, kind: 'redemption', rows: (rows) => rows.where({ id }) }, async () => {
        if (to.quota !== undefined) await spendKeyAmount(trx, actor, to.quota - (await quotaOf(trx, id)))
        const changed = await existingCodes(trx).where({ id }).whereIn('status', from).update(to)
        if (changed) return
        const code = await existingCodes(trx).where({ id }).first('id')
        throw new GatewayError(code ? 'REDEMPTION_NOT_EDITABLE' : 'REDEMPTION_NOT_FOUND', { id })
      }),
    )
  }

  async function quotaOf(trx: Knex.Transaction, id: number): Promise<number> {
    const code = await existingCodes(trx).where({ id }).forUpdate().first('quota')
    return Number(code?.quota ?? 0)
  }

  /** Returns whether the actor created the code, or edited it according to the audit. */
  async function isOwn(trx: Knex.Transaction, actor: Actor, code: { id: number; user_id: number }): Promise<boolean> {
    if (code.user_id === actor.id) return true
    const edit = { actor_id: actor.id, action: 'redemption.update', object: `redemption:${code.id}` } as const
    return (await trx('audit').where(edit).first('id')) !== undefined
  }

  return {
    /**
     * Creates all codes or none, and returns them. A repeated idempotency key returns the codes of the first call.
     * Throws PERMISSION_DENIED, REDEMPTION_NAME, REDEMPTION_COUNT_*, FIELD_*, IDEMPOTENCY_KEY_*, KEY_AMOUNT_EXCEEDED.
     */
    async create(
      actor: Actor,
      { name, quota, count, total = count }: NewCodes,
      idempotency?: Idempotency,
    ): Promise<string[]> {
      requireRole(actor, ROLE.admin)
      const title = nameOf(name)
      if (!(count > 0)) throw new GatewayError('REDEMPTION_COUNT_POSITIVE')
      if (count > CODES_PER_CALL) throw new GatewayError('REDEMPTION_COUNT_MAX', { max: CODES_PER_CALL })
      requireWholeNumber('count', count, { min: 1, max: CODES_PER_CALL })
      requireWholeNumber('total', total, { min: count, max: CODES_PER_BATCH })
      requireQuota('quota', quota, 1)
      return db.transaction(async (trx) => {
        const request = { name: title, quota, count, total }
        const claim = { actor, request, now: now() }
        const batch = idempotency && (await claimKey(trx, 'redemption_batches', claim, idempotency))
        if (batch?.made) {
          const codes = await codesOfCall(trx, batch.id)
          await audit.write(trx, actor, readAct(title, codes))
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
        return batch ? codesOfCall(trx, batch.id) : codes
      })
    },

    /**
     * Returns the codes that the actor created with these idempotency keys, up to the first unknown key. They are
     * sorted in the order of the keys. Throws IDEMPOTENCY_KEY_INVALID, FIELD_TOO_MANY, and IDEMPOTENCY_KEY_REUSED if a
     * key belongs to another batch.
     */
    async findCreated(actor: Actor, query: CreatedCodesQuery): Promise<CreatedCodes> {
      requireRole(actor, ROLE.admin)
      const max = CODES_PER_BATCH / CODES_PER_CALL
      if (query.idempotencyKeys.length > max) {
        throw new GatewayError('FIELD_TOO_MANY', { field: 'idempotency_keys', max })
      }
      const name = nameOf(query.name)
      const result = await findCreatedCodes(db.reader, actor, { ...query, name })
      if (result.codes.length > 0) await audit.writeAlone(actor, readAct(name, result.codes))
      return result
    },

    /** Returns a code. Throws REDEMPTION_NOT_FOUND. */
    async get(actor: Actor, id: number): Promise<Redemption> {
      requireRole(actor, ROLE.admin)
      return read(actor, id)
    },

    /**
     * Updates an enabled code that is not used. Throws REDEMPTION_NOT_FOUND, REDEMPTION_NAME, FIELD_*,
     * KEY_AMOUNT_EXCEEDED, and REDEMPTION_NOT_EDITABLE for a disabled or used code.
     */
    async update(actor: Actor, id: number, { name, quota }: { name?: string; quota?: number }): Promise<Redemption> {
      requireRole(actor, ROLE.admin)
      const changes = {
        ...(name !== undefined && { name: nameOf(name) }),
        ...(quota !== undefined && { quota: requireQuota('quota', quota, 1) }),
      }
      if (Object.keys(changes).length === 0) return read(actor, id)
      await change({ actor, id, action: 'redemption.update' }, [REDEMPTION_STATUS.unused], changes)
      return requireCode(id)
    },

    /** Disables or enables a code. Throws REDEMPTION_NOT_FOUND, and REDEMPTION_NOT_EDITABLE for a used code. */
    async setStatus(actor: Actor, id: number, status: number): Promise<Redemption> {
      requireRole(actor, ROLE.admin)
      const { unused, disabled } = REDEMPTION_STATUS
      const to = oneOf('status', status, [unused, disabled])
      await change({ actor, id, action: 'redemption.status' }, [unused, disabled], { status: to })
      return requireCode(id)
    },

    /** Marks a code as deleted. Its row stays. Throws REDEMPTION_NOT_FOUND. */
    async delete(actor: Actor, id: number): Promise<void> {
      requireRole(actor, ROLE.admin)
      const deleted_at = new Date(now() * 1000).toISOString()
      await change({ actor, id, action: 'redemption.delete' }, Object.values(REDEMPTION_STATUS), { deleted_at })
    },

    /** Deletes all codes with this exact name. Returns their number. */
    async deleteNamed(actor: Actor, name: string): Promise<number> {
      requireRole(actor, ROLE.admin)
      const deleted_at = new Date(now() * 1000).toISOString()
      const trimmedName = nameOf(name)
      return db.transaction(async (trx) => {
        const deleted = await existingCodes(trx).where({ name: trimmedName }).update({ deleted_at }).returning('id')
        const ids = deleted.map(({ id }) => id).sort((a, b) => a - b)
        const act = { action: 'redemption.delete', object: objectOf(ids) } as const
        if (ids.length > 0) await audit.write(trx, actor, { ...act, before: { name: trimmedName, ...rangeOf(ids) } })
        return ids.length
      })
    },

    /** Returns codes. By default, the newest come first. */
    async list(actor: Actor, query: Paging & RedemptionFilter = {}): Promise<Page<Redemption>> {
      requireRole(actor, ROLE.admin)
      const { keyword, name, status, beforeId } = query
      const matching = existingCodes(db.reader).modify((where) => {
        if (status) where.where({ status })
        if (name !== undefined) where.where({ name })
        if (beforeId !== undefined) where.where('id', '<', beforeId)
        if (!keyword) return
        where.where((either) => {
          whereStartsWith(either, 'name', keyword)
          if (/^\d{1,9}$/.test(keyword)) either.orWhere('id', Number(keyword))
        })
      })
      const order = orderOf(query, NEWEST_FIRST)
      const page = await readPage<Omit<Redemption, 'count'>>(matching, query, { columns: COLUMNS, order })
      const ids = page.items.map(({ id }) => id)
      await noteRead(actor, ids)
      return { ...page, items: page.items.map((row) => ({ ...row, count: 0 })) }
    },

    /**
     * Credits the quota of a code to the actor's account, or to the team account `into`. Returns the quota. Throws
     * REDEMPTION_KEY_MISSING, REDEMPTION_INVALID, REDEMPTION_USED, REDEMPTION_OWN, TEAM_NOT_FOUND, BALANCE_TOO_LARGE.
     */
    async redeem(
      actor: Actor,
      text: string,
      { accountId }: { accountId: number } = { accountId: actor.id },
    ): Promise<number> {
      const key = text.trim()
      if (key === '') throw new GatewayError('REDEMPTION_KEY_MISSING')
      return db.transaction(async (trx) => {
        if (accountId !== actor.id) await requireTeamAccount(trx, accountId)
        // The UPDATE checks the status. The database thus decides which of two concurrent requests redeems the code.
        const claimed = await trx('redemptions')
          .where({ key, status: REDEMPTION_STATUS.unused })
          .whereNull('deleted_at')
          .update({ status: REDEMPTION_STATUS.used, used_user_id: accountId, redeemed_time: now() })
        const code = await trx('redemptions').where({ key }).whereNull('deleted_at').first('id', 'quota', 'user_id')
        if (!code) throw new GatewayError('REDEMPTION_INVALID')
        if (!claimed) throw new GatewayError('REDEMPTION_USED')
        const isOwnCode = actor.role < ROLE.root && (await isOwn(trx, actor, code))
        if (isOwnCode && !options.get(OPTIONS.AdminRedeemOwnCodes)) throw new GatewayError('REDEMPTION_OWN')
        const { id: redemptionId, quota } = code
        const reference = `code-${redemptionId}`
        await ledger.credit(trx, { userId: accountId, quota, kind: 'redemption', actorId: actor.id, reference })
        const { username } = requireRow(await trx('users').where({ id: accountId }).first('username'))
        await logs.write(trx, { type: 'topUp', userId: accountId, username, text: 'redeemed', quota, redemptionId })
        const act = { action: 'redemption.redeem', object: objectOf([redemptionId]), after: { quota } } as const
        if (isOwnCode) await audit.write(trx, actor, act)
        return quota
      })
    },
  }
}

/** Locks the account of a team, because a member may delete the team at the same time. Throws TEAM_NOT_FOUND. */
async function requireTeamAccount(trx: Knex.Transaction, id: number): Promise<void> {
  const account = { id, kind: USER_KIND.team }
  const row = await trx('users').where(account).whereNull('deleted_at').forUpdate().first('id')
  if (!row) throw new GatewayError('TEAM_NOT_FOUND', { id })
}

const objectOf = (ids: readonly number[]): string => (ids.length === 1 ? `redemption:${ids[0]}` : 'redemption')

/** Returns the audit entry for reading the codes of a batch, by a repeated call of `create` or by `findCreated`. */
function readAct(name: string, codes: readonly string[]): AuditedAct {
  return { action: 'redemption.read', object: 'redemption', after: { name, count: codes.length } }
}

/** Returns audit fields that identify codes by their ids, so that the audit does not reveal the codes. */
function rangeOf(ids: readonly number[]) {
  return { count: ids.length, first_id: Math.min(...ids), last_id: Math.max(...ids) }
}

function nameOf(text: string): string {
  const name = text.trim()
  if (name === '' || [...name].length > NAME_LENGTH_MAX) throw new GatewayError('REDEMPTION_NAME')
  return name
}
