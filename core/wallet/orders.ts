import type { Knex } from 'knex'
import type { Actor } from '../actor.ts'
import type { Database } from '../db/database.ts'
import { readPage } from '../db/page.ts'
import { GatewayError } from '../errors.ts'
import { commaList, oneOf, type Page, type Paging } from '../input.ts'
import type { Options } from '../options/options.ts'
import { OPTIONS, publicAddress } from '../options/registry.ts'
import { keysOf } from '../records.ts'
import { randomAlphanumerics } from '../secrets.ts'
import { type Quote, quoteOf } from './amounts.ts'
import { ORDER_STATUS, PAYMENT_METHODS } from './payment.ts'
import type { Order, PaymentForm } from './schema.ts'
import { paymentSettings } from './settings.ts'
import { epaySignatureOf } from './signature.ts'

export interface NewOrder {
  /** Whole dollars, or quota if DisplayInCurrencyEnabled is off. */
  amount: number
  payment_method: string
}

export interface OrderQuery extends Paging {
  status?: string
  username?: string
  trade_no?: string
  userId?: number
}

interface OrderParts {
  db: Database
  options: Options
  now: () => number
  onFailure: (error: unknown) => void
}

const TRADE_NO_RANDOM = 6

const COLUMNS = commaList(`
  top_ups.id, top_ups.user_id, users.username, top_ups.amount, top_ups.money, top_ups.quota, top_ups.trade_no,
  top_ups.payment_method, top_ups.status, top_ups.create_time, top_ups.complete_time
`)

/** Orders are never deleted, so only unpaid orders of this period count toward UnpaidOrdersMax. */
const COUNTED_S = 24 * 3600

/** Creates the operations on orders of quota: prices, payment forms and lists. */
export function createOrders({ db, options, now, onFailure }: OrderParts) {
  async function quote(actor: Actor, amount: number): Promise<Quote> {
    const user = await db.reader('users').where({ id: actor.id }).first('group')
    if (!user) throw new GatewayError('USER_NOT_FOUND', { id: actor.id })
    const ratios = options.get(OPTIONS.TopupGroupRatio)
    return quoteOf(amount, {
      inCurrency: options.get(OPTIONS.DisplayInCurrencyEnabled),
      quotaPerUnit: options.get(OPTIONS.QuotaPerUnit),
      price: options.get(OPTIONS.Price),
      // Top-ups are never free, so a ratio of 0 means an unset ratio.
      ratio: (Object.hasOwn(ratios, user.group) && ratios[user.group]) || 1,
      minimum: options.get(OPTIONS.MinTopUp),
    })
  }

  return {
    async amountToPay(actor: Actor, amount: number): Promise<string> {
      const { money, aboveHundredth } = await quote(actor, amount)
      if (aboveHundredth <= 0) throw new GatewayError('TOPUP_TOO_LOW')
      return money
    },

    async pay(actor: Actor, { amount, payment_method }: NewOrder): Promise<{ url: string; form: PaymentForm }> {
      const method = oneOf('payment_method', payment_method, keysOf(PAYMENT_METHODS))
      const { money, aboveHundredth, dollars, quota } = await quote(actor, amount)
      if (aboveHundredth < 0) throw new GatewayError('TOPUP_TOO_LOW')
      const settings = paymentSettings(options)
      if (!settings) throw new GatewayError('PAYMENT_UNCONFIGURED')
      const trade_no = `USR${actor.id}NO${randomAlphanumerics(TRADE_NO_RANDOM)}${now()}`
      const order = { user_id: actor.id, amount: dollars, money: Number(money), quota, trade_no }
      await insert({ ...order, payment_method: method, create_time: now(), status: ORDER_STATUS.pending })
      const form = {
        pid: settings.merchantId,
        type: PAYMENT_METHODS[method],
        out_trade_no: trade_no,
        notify_url: `${options.get(OPTIONS.CustomCallbackAddress) || publicAddress(options)}/api/user/epay/notify`,
        return_url: `${publicAddress(options)}/log`,
        name: `TUC${amount}`,
        money,
        device: 'pc',
      }
      return { url: settings.url, form: { ...form, sign_type: 'MD5', sign: epaySignatureOf(form, settings.key) } }
    },

    async list({ status, username, trade_no, userId, ...paging }: OrderQuery): Promise<Page<Order>> {
      const matching = db
        .reader('top_ups')
        .leftJoin('users', 'users.id', 'top_ups.user_id')
        .modify((where) => {
          if (status) where.where('top_ups.status', status)
          if (username) where.where({ username })
          if (trade_no) where.where({ trade_no })
          if (userId) where.where({ user_id: userId })
        })
      const order = [{ column: 'top_ups.id', order: 'desc' as const }]
      type Row = Omit<Order, 'username'> & { username: string | null }
      const page = await readPage<Row>(matching, paging, { columns: COLUMNS, order })
      return { ...page, items: page.items.map((row) => ({ ...row, username: row.username ?? '' })) }
    },
  }

  /** Throws ORDERS_UNPAID for a user with `max` unpaid orders. Locks the row, so that concurrent orders count. */
  async function requireUnpaidBelow(trx: Knex.Transaction, userId: number, max: number): Promise<void> {
    await trx('users').where({ id: userId }).forUpdate().first('id')
    const unpaid = await trx('top_ups')
      .where({ user_id: userId, status: ORDER_STATUS.pending })
      .where('create_time', '>', now() - COUNTED_S)
      .limit(max)
      .select('id')
    if (unpaid.length >= max) throw new GatewayError('ORDERS_UNPAID', { max })
  }

  async function insert(row: Omit<Order, 'id' | 'username' | 'complete_time'>): Promise<void> {
    const max = options.get(OPTIONS.UnpaidOrdersMax)
    try {
      await db.transaction(async (trx) => {
        if (max > 0) await requireUnpaidBelow(trx, row.user_id, max)
        await trx('top_ups').insert(row)
      })
    } catch (cause) {
      if (cause instanceof GatewayError) throw cause
      onFailure(cause)
      throw new GatewayError('ORDER_UNSAVED', {}, { cause })
    }
  }
}
