import type { Redemption } from './schema.ts'

export type { Redemption } from './schema.ts'

import { type Actor, ROLE, requireRole } from '../actor.ts'
import type { Database } from '../db/database.ts'
import { NEWEST_FIRST, readPage } from '../db/page.ts'
import { GatewayError } from '../errors.ts'
import { type Page, type Paging, quotaAmount } from '../input.ts'
import type { Ledger } from '../ledger/ledger.ts'
import type { Logs } from '../logs/logs.ts'
import { randomHex } from '../secrets.ts'

export const REDEMPTION_STATUS = { unused: 1, disabled: 2, used: 3 } as const
/** The most codes one call makes. */
export const CODES_PER_CALL = 100
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

export interface Redemptions {
  /** Makes codes, all or none. Answers them. Throws REDEMPTION_NAME, REDEMPTION_COUNT, FIELD_*. */
  create(actor: Actor, batch: { name: string; quota: number; count: number }): Promise<string[]>
  list(actor: Actor, query?: Paging & { keyword?: string; status?: number }): Promise<Page<Redemption>>
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
  return {
    async create(actor, { name, quota, count }) {
      requireRole(actor, ROLE.admin)
      const title = name.trim()
      if (title === '' || [...title].length > NAME_LENGTH_MAX) throw new GatewayError('REDEMPTION_NAME')
      if (!Number.isInteger(count) || count < 1 || count > CODES_PER_CALL) {
        throw new GatewayError('REDEMPTION_COUNT', { value: count })
      }
      quotaAmount('quota', quota, 1)
      const codes = Array.from({ length: count }, () => randomHex(CODE_LENGTH))
      const rows = codes.map((key) => ({ user_id: actor.id, key, name: title, quota, created_time: now() }))
      await db.transaction((trx) => trx.batchInsert('redemptions', rows))
      return codes
    },

    async list(actor, query = {}) {
      requireRole(actor, ROLE.admin)
      const { keyword, status } = query
      const matching = db
        .reader('redemptions')
        .whereNull('deleted_at')
        .modify((where) => {
          if (status) where.where({ status })
          if (!keyword) return
          where.where((either) => {
            either.whereLike('name', `${keyword}%`)
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
