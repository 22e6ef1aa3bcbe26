import type { Knex } from 'knex'
import type { Database } from '../db/database.ts'
import { requireRow } from '../db/require-row.ts'
import { GatewayError } from '../errors.ts'
import type { Ledger } from '../ledger/ledger.ts'
import type { Logs } from '../logs/logs.ts'
import { recordNotice } from '../notices/outbox.ts'
import type { Options } from '../options/options.ts'
import { OPTIONS } from '../options/registry.ts'
import type { Rows } from '../tables/rows.ts'
import { hundredthsOf } from './amounts.ts'
import { type createCallbacks, isStorable } from './callbacks.ts'
import { ORDER_STATUS, PAYMENT_METHODS } from './payment.ts'
import type { NotificationReason, PaymentCallback, Verdict } from './schema.ts'
import { type PaymentSettings, paymentSettings } from './settings.ts'
import { isSigned } from './signature.ts'

type Params = Readonly<Record<string, string>>
/** The origin of a notification: the payment gateway's address (`ip`), or an administrator who replays it. */
interface NotificationOrigin {
  ip: string
  replay_of: number
  actor_id: number
}
interface Judgement {
  verdict: Verdict
  reason: NotificationReason
}
type PaidOrder = Omit<Rows['top_ups'], 'create_time' | 'complete_time'>

const PAID = 'TRADE_SUCCESS'
const DEDUPE_LENGTH_MAX = 128
/** Half a hundredth, with a margin for the errors of doubles. */
const HALFWAY_MAX = 0.505

export interface NotificationParts {
  db: Database
  ledger: Ledger
  logs: Logs
  options: Options
  callbacks: ReturnType<typeof createCallbacks>
  now: () => number
  onFailure: (error: unknown) => void
}

/** Creates the function that judges notifications. It credits a paid order once, and stores each notification. */
export function createNotifications({ db, ledger, logs, options, callbacks, now, onFailure }: NotificationParts) {
  return async function judge(
    params: Params,
    origin: NotificationOrigin,
    /** Runs after the notification is stored, in the same transaction. */
    afterStore: (trx: Knex.Transaction, storedCallback: PaymentCallback) => Promise<void> = async () => {},
  ): Promise<PaymentCallback> {
    try {
      return await db.transaction(async (trx) => keep(trx, await actOn(trx, params)))
    } catch (error) {
      // Nothing was credited and the order is still pending, so the next notification can succeed.
      const isAccountMissing = error instanceof GatewayError && error.code === 'USER_NOT_FOUND'
      if (!isAccountMissing) onFailure(error)
      const failed: Judgement = { verdict: 'failed', reason: isAccountMissing ? 'account-gone' : 'not-booked' }
      return await db.transaction((trx) => keep(trx, failed))
    }

    async function keep(trx: Knex.Transaction, judgement: Judgement): Promise<PaymentCallback> {
      const storedCallback = await callbacks.keep(trx, { params: { ...params }, ...origin, ...judgement })
      await afterStore(trx, storedCallback)
      return storedCallback
    }
  }

  async function actOn(trx: Knex.Transaction, params: Params): Promise<Judgement> {
    const order = await findOrder(trx, params.out_trade_no ?? '')
    const judgement = judgementOf(params, { order, settings: paymentSettings(options) })
    if (judgement.verdict !== 'credited' || !order) return judgement
    // The UPDATE checks the status. If two notifications arrive at the same time, only one credits the order.
    const claimed = await trx('top_ups')
      .where({ id: order.id, status: ORDER_STATUS.pending })
      .update({ status: ORDER_STATUS.success, complete_time: now() })
    if (!claimed) return ALREADY
    await credit(trx, order)
    return judgement
  }

  function findOrder(trx: Knex.Transaction, trade_no: string): Promise<PaidOrder | undefined> {
    return trx('top_ups')
      .where({ trade_no })
      .first('id', 'user_id', 'amount', 'money', 'quota', 'trade_no', 'payment_method', 'status')
  }

  async function credit(trx: Knex.Transaction, { user_id: userId, amount, money, trade_no, ...order }: PaidOrder) {
    // An imported order may have no quota. Then compute it from the dollars.
    const quota = order.quota || Math.round(amount * options.get(OPTIONS.QuotaPerUnit))
    await ledger.credit(trx, { userId, quota, kind: 'topup', reference: trade_no })
    const { username } = requireRow(await trx('users').where({ id: userId }).first('username'))
    await logs.write(trx, { type: 'topUp', userId, username, text: 'topped-up', quota, money })
    await recordNotice(trx, {
      event: 'payment.completed',
      subject: `user:${userId}`,
      userId,
      dedupe: `payment:${trade_no}`.slice(0, DEDUPE_LENGTH_MAX),
      data: { user_id: userId, username, trade_no, quota, money },
      now: now(),
    })
  }
}

const ALREADY: Judgement = { verdict: 'repeated', reason: 'already-credited' }

/** Returns the verdict for a notification. */
function judgementOf(
  params: Params,
  { order, settings }: { order: PaidOrder | undefined; settings: PaymentSettings | undefined },
): Judgement {
  const refused = (reason: NotificationReason): Judgement => ({ verdict: 'refused', reason })
  const ignored = (reason: NotificationReason): Judgement => ({ verdict: 'ignored', reason })
  if (!isStorable(params)) return refused('too-long')
  if (!settings) return refused('not-configured')
  if (!isSigned(params, settings.key)) return refused('bad-signature')
  if (params.pid !== settings.merchantId) return refused('wrong-merchant')
  if (params.trade_status !== PAID) return ignored('not-paid')
  if (!order) return ignored('unknown-order')
  if (order.status !== ORDER_STATUS.pending) return ALREADY
  if (!isMethodOf(params.type, order.payment_method)) return refused('wrong-type')
  if (!isPriceOf(params.money, order.money)) return refused('wrong-money')
  return { verdict: 'credited', reason: '' }
}

/**
 * Returns whether a notification has the payment method of the order. An imported order without a method accepts any
 * method. Newer versions of new-api store the payment gateway's name of a method instead of the web client's name.
 */
function isMethodOf(type: string | undefined, method: string): boolean {
  const gatewayNames = new Map<string, string>(Object.entries(PAYMENT_METHODS))
  return method === '' || type === (gatewayNames.get(method) ?? method)
}

/**
 * Returns whether the paid amount is the price of the order, rounded to hundredths. An imported price has more
 * decimals. If it is halfway between two hundredths, both are accepted, because the other program may have rounded it
 * down.
 */
function isPriceOf(paid: string | undefined, due: number): boolean {
  const paidHundredths = hundredthsOf(paid ?? '')
  if (paidHundredths === undefined || (paidHundredths === 0 && due > 0)) return false
  return Math.abs(paidHundredths - due * 100) < HALFWAY_MAX
}
