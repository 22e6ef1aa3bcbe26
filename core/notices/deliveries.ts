import { type Actor, ROLE, requireRole } from '../actor.ts'
import type { Audit } from '../audit/audit.ts'
import type { Database } from '../db/database.ts'
import { requireRow } from '../db/require-row.ts'
import { GatewayError } from '../errors.ts'
import { pageBounds } from '../input.ts'
import { type DeliveryState, TEST_EVENT } from './notice.ts'
import { insertNotice } from './outbox.ts'
import { CLAIM_S } from './outgoing.ts'
import type { NoticeDelivery } from './schema.ts'
import { visibleTo } from './targets.ts'

export interface DeliveryQuery {
  /** Whether to return deliveries to the gateway's targets instead of the actor's targets. For administrators only. */
  gateway?: boolean | undefined
  target_id?: number | undefined
  state?: DeliveryState | undefined
  /** Returns only deliveries with smaller ids. For the next page, pass the last id of this page. */
  before_id?: number | undefined
  page_size?: number | undefined
}

const COLUMNS = [
  ...['notice_deliveries.id', 'notice_id', 'target_id', 'notice_targets.name as target', 'kind', 'event', 'subject'],
  ...['state', 'attempts', 'next_at', 'status', 'error', 'notice_deliveries.created_at', 'delivered_at'],
]

/** The log of deliveries. */
export function createNoticeDeliveries(parts: { db: Database; audit: Audit; now: () => number }) {
  const { db, audit, now } = parts
  const visibleDeliveries = (connection: Database['reader'], actor: Actor) =>
    connection('notice_deliveries')
      .join('notices', 'notices.id', 'notice_deliveries.notice_id')
      .join('notice_targets', 'notice_targets.id', 'notice_deliveries.target_id')
      .modify(visibleTo, actor)

  async function get(actor: Actor, id: number, connection = db.reader): Promise<NoticeDelivery> {
    const row = await visibleDeliveries(connection, actor)
      .where('notice_deliveries.id', id)
      .first<NoticeDelivery | undefined>(...COLUMNS)
    if (!row) throw new GatewayError('NOTICE_DELIVERY_NOT_FOUND', { id })
    return row
  }

  return {
    /** Returns a delivery that the actor may see. Throws NOTICE_DELIVERY_NOT_FOUND. */
    get: (actor: Actor, id: number): Promise<NoticeDelivery> => get(actor, id),

    /** Returns deliveries, newest first. Throws PERMISSION_DENIED. */
    async list(
      actor: Actor,
      { gateway = false, target_id, state, before_id, page_size }: DeliveryQuery = {},
    ): Promise<NoticeDelivery[]> {
      if (gateway) requireRole(actor, ROLE.admin)
      const rows: NoticeDelivery[] = await visibleDeliveries(db.reader, actor)
        .modify((where) => {
          if (gateway) where.whereNull('notice_targets.user_id')
          else where.where('notice_targets.user_id', actor.id)
          if (target_id !== undefined) where.where({ target_id })
          if (state !== undefined) where.where({ state })
          if (before_id !== undefined) where.where('notice_deliveries.id', '<', before_id)
        })
        .orderBy('notice_deliveries.id', 'desc')
        .limit(pageBounds(page_size === undefined ? {} : { pageSize: page_size }).page_size)
        .select(COLUMNS)
      return rows
    },

    /**
     * Makes a delivery due immediately, and resets its attempts. Throws NOTICE_DELIVERY_NOT_FOUND, NOTICE_DELIVERED.
     */
    retry: (actor: Actor, id: number): Promise<NoticeDelivery> =>
      db.transaction(async (trx) => {
        const { target_id } = await get(actor, id, trx)
        const changed = await trx('notice_deliveries')
          .where({ id })
          .whereNot({ state: 'delivered' })
          .update({ state: 'pending', attempts: 0, next_at: now() })
        if (changed === 0) throw new GatewayError('NOTICE_DELIVERED', { id })
        const target = await trx('notice_targets').where({ id: target_id }).first('user_id')
        if (target?.user_id === null) {
          await audit.write(trx, actor, {
            action: 'notice.retry',
            object: `notice:${target_id}`,
            after: { delivery: id },
          })
        }
        return get(actor, id, trx)
      }),

    /**
     * Stores a test notice for a target, with a claimed delivery that the caller must send. Returns the id of the
     * delivery. Throws NOTICE_TARGET_NOT_FOUND.
     */
    beginTest: (actor: Actor, targetId: number): Promise<number> =>
      db.transaction(async (trx) => {
        const target = await trx('notice_targets')
          .where({ id: targetId })
          .modify(visibleTo, actor)
          .first<{ user_id: number | null; name: string } | undefined>('user_id', 'name')
        if (!target) throw new GatewayError('NOTICE_TARGET_NOT_FOUND', { id: targetId })
        const about = { subject: `notice:${targetId}`, data: { name: target.name }, now: now() }
        const notice_id = requireRow(await insertNotice(trx, { event: TEST_EVENT, ...about }, [targetId]))
        // Claim the delivery, so that the job that sends notices does not send it too.
        await trx('notice_deliveries')
          .where({ notice_id })
          .update({ attempts: 1, next_at: now() + CLAIM_S })
        const row = await trx('notice_deliveries').where({ notice_id }).first('id')
        if (target.user_id === null) {
          await audit.write(trx, actor, { action: 'notice.test', object: `notice:${targetId}` })
        }
        return Number(requireRow(row).id)
      }),
  }
}
