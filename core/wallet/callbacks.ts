import { isIP } from 'node:net'
import type { Knex } from 'knex'
import type { Database } from '../db/database.ts'
import { fromJson, type JsonText, toJson } from '../db/json.ts'
import { NEWEST_FIRST, readPage } from '../db/page.ts'
import { requireRow } from '../db/require-row.ts'
import { GatewayError } from '../errors.ts'
import type { Page, Paging } from '../input.ts'
import type { NotificationReason, PaymentCallback, Verdict } from './schema.ts'

export interface CallbackQuery extends Paging {
  trade_no?: string
  verdict?: string
}

type NewCallback = Omit<PaymentCallback, 'id' | 'created_at' | 'trade_no'>
type Row = Omit<PaymentCallback, 'params'> & { params: JsonText<PaymentCallback['params']> }

const COLUMNS = ['id', 'trade_no', 'params', 'ip', 'verdict', 'reason', 'replay_of', 'actor_id', 'created_at'] as const
/** Reasons of unsigned notifications. Anyone can send these, so only the newest are stored, for troubleshooting. */
const UNSIGNED: readonly string[] = ['bad-signature', 'not-configured', 'too-long'] satisfies NotificationReason[]
const UNSIGNED_MAX = 500
/** Clients can repeat a signed notification endlessly. Only the first copy and this many of the newest are stored. */
const REPEATS_MAX = 20
const ALWAYS_STORED: readonly string[] = ['credited', 'failed'] satisfies Verdict[]
const PARAMS_MAX = 32
const TEXT_LENGTH_MAX = 255
const IP_LENGTH_MAX = 64

/** Stores notifications of the payment gateway with their verdicts. */
export function createCallbacks({ db, now }: { db: Database; now: () => number }) {
  return {
    /** Stores a notification in the transaction that acted on it. */
    async keep(trx: Knex.Transaction, callback: NewCallback): Promise<PaymentCallback> {
      const params = truncate(callback.params)
      const trade_no = (params.out_trade_no ?? '').slice(0, TEXT_LENGTH_MAX)
      const stored = { ...callback, trade_no, ip: addressIn(callback.ip), created_at: now() }
      const row = { ...stored, params: toJson(params) }
      const [inserted] = await trx('payment_callbacks').insert(row).returning('id')
      const { id } = requireRow(inserted)
      if (UNSIGNED.includes(callback.reason)) await dropOldUnsigned(trx)
      else if (!ALWAYS_STORED.includes(callback.verdict)) await dropRepeats(trx, stored)
      return { ...stored, id, params }
    },

    async get(id: number): Promise<PaymentCallback> {
      const [row] = await db
        .reader('payment_callbacks')
        .where({ id })
        .select(...COLUMNS)
      if (!row) throw new GatewayError('CALLBACK_NOT_FOUND', { id })
      return toCallback(row)
    },

    async list({ trade_no, verdict, ...paging }: CallbackQuery): Promise<Page<PaymentCallback>> {
      const matching = db.reader('payment_callbacks').modify((where) => {
        if (trade_no) where.where({ trade_no })
        if (verdict) where.where({ verdict })
      })
      const page = await readPage<Row>(matching, paging, { columns: COLUMNS, order: NEWEST_FIRST })
      return { ...page, items: page.items.map(toCallback) }
    },
  }
}

async function dropOldUnsigned(trx: Knex.Transaction): Promise<void> {
  const unsigned = () => trx('payment_callbacks').where({ verdict: 'refused' }).whereIn('reason', UNSIGNED)
  const oldest = await unsigned().orderBy('id', 'desc').offset(UNSIGNED_MAX).first('id')
  if (oldest) await unsigned().where('id', '<=', oldest.id).delete()
}

async function dropRepeats(
  trx: Knex.Transaction,
  { trade_no, verdict }: Pick<PaymentCallback, 'trade_no' | 'verdict'>,
) {
  const similarCallbacks = () => trx('payment_callbacks').where({ trade_no, verdict }).whereNotIn('reason', UNSIGNED)
  const newestToDelete = await similarCallbacks().orderBy('id', 'desc').offset(REPEATS_MAX).first('id')
  if (!newestToDelete) return
  const { id: first } = requireRow(await similarCallbacks().orderBy('id').first('id'))
  await similarCallbacks().where('id', '>', first).where('id', '<=', newestToDelete.id).delete()
}

function toCallback(row: Row): PaymentCallback {
  return { ...row, params: fromJson(row.params) }
}

/** Returns whether a notification can be stored without cutting it. */
export function isStorable(params: Readonly<Record<string, string>>): boolean {
  const texts = Object.entries(params).flat()
  return texts.length <= 2 * PARAMS_MAX && texts.every((text) => text.length <= TEXT_LENGTH_MAX)
}

/**
 * Cuts a notification to slightly more than the maximum: one more parameter, and one more character. `isStorable`
 * therefore still rejects the notification if it is replayed.
 */
function truncate(params: Readonly<Record<string, string>>): Record<string, string> {
  const bounded = Object.entries(params).slice(0, PARAMS_MAX + 1)
  const cutText = (text: string) => text.slice(0, TEXT_LENGTH_MAX + 1)
  return Object.fromEntries(bounded.map(([name, value]) => [cutText(name), cutText(value)]))
}

/** Returns the IP address. Returns '' for another text, which clients can send if a proxy is wrongly trusted. */
function addressIn(ip: string): string {
  return isIP(ip) ? ip.slice(0, IP_LENGTH_MAX) : ''
}
