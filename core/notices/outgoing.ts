import type { Knex } from 'knex'
import { sanitizeText } from '../channels/health/sanitize-text.ts'
import type { Clock } from '../db/clock.ts'
import type { Database } from '../db/database.ts'
import { fromJson, type JsonText } from '../db/json.ts'
import { inShortBatches } from '../db/short-batches.ts'
import type { Secrets } from '../secrets.ts'
import { type NoticeKind, type StoredNotice, TEST_EVENT } from './notice.ts'
import type { NoticeSettings } from './schema.ts'
import { openSettings } from './settings.ts'

/** A delivery that this process has claimed, with all data to send it. */
export interface Outgoing {
  readonly id: number
  /** Number of attempts, including the current one. */
  readonly attempts: number
  readonly notice: StoredNotice
  readonly target: {
    readonly id: number
    /** Null for a target of the gateway. */
    readonly user_id: number | null
    readonly kind: NoticeKind
    readonly settings: NoticeSettings
    readonly language: 'en' | 'zh'
    /** The owner's mail address. Empty if there is none. */
    readonly email: string
  }
}

/** The outcome of an attempt. */
export interface AttemptOutcome {
  readonly delivered: boolean
  /** HTTP status, or 0 if there was no reply. */
  readonly status: number
  /** The error without secrets. Empty after success. */
  readonly error: string
}

/** If a claim is older than this, its process counts as crashed. */
export const CLAIM_S = 60
/** Maximum number of attempts of one delivery. All attempts together take about a day. */
export const ATTEMPTS_MAX = 8
const FIRST_DELAY_S = 30
const FACTOR = 3.5
const JITTER = 0.2
export const RETENTION_S = 30 * 24 * 3600
const ERROR_LENGTH_MAX = 500

/** Returns the seconds until the next attempt, or undefined after the last one. `random` is a number from 0 to 1. */
export function retryDelay(attempts: number, random: number): number | undefined {
  if (attempts >= ATTEMPTS_MAX) return undefined
  return Math.round(FIRST_DELAY_S * FACTOR ** (attempts - 1) * (1 - JITTER + 2 * JITTER * random))
}

const COLUMNS = [
  ...['notice_deliveries.id', 'attempts', 'notice_id', 'event', 'subject', 'data', 'notices.created_at', 'target_id'],
  ...['user_id', 'kind', 'settings', 'language'].map((column) => `notice_targets.${column}`),
  'users.email',
]

interface Row {
  id: number
  attempts: number
  notice_id: number
  event: string
  subject: string
  data: JsonText<StoredNotice['data']>
  created_at: number
  target_id: number
  user_id: number | null
  kind: NoticeKind
  settings: string
  language: 'en' | 'zh'
  email: string | null
}

/**
 * Pending deliveries. A process claims a delivery in its row before sending it. So two processes do not send the same
 * delivery at the same time. If a process crashes after sending and before `finish`, another process sends the delivery
 * again.
 */
export function createOutgoingNotices(parts: { db: Database; secrets: Secrets; clock: Clock; random?: () => number }) {
  const { db, secrets, clock, random = Math.random } = parts
  const due = (connection: Knex, now: number) =>
    connection('notice_deliveries').where('state', 'pending').where('next_at', '<=', now)

  async function find(connection: Knex, id: number): Promise<Outgoing | undefined> {
    const row: Row | undefined = await connection('notice_deliveries')
      .join('notices', 'notices.id', 'notice_deliveries.notice_id')
      .join('notice_targets', 'notice_targets.id', 'notice_deliveries.target_id')
      .leftJoin('users', 'users.id', 'notice_targets.user_id')
      .where('notice_deliveries.id', id)
      .first(COLUMNS)
    if (!row) return undefined
    const { attempts, event, subject, kind, language, user_id } = row
    return {
      id: Number(row.id),
      attempts,
      notice: {
        id: Number(row.notice_id),
        event,
        subject,
        data: fromJson(row.data),
        created_at: Number(row.created_at),
      },
      target: {
        id: Number(row.target_id),
        user_id,
        kind,
        settings: openSettings(secrets, row.settings),
        language,
        email: row.email ?? '',
      },
    }
  }

  return {
    /** Returns at most `max` targets that have due deliveries. Those that have waited longest come first. */
    async dueTargets(max: number): Promise<number[]> {
      const rows: { target_id: number }[] = await due(db.reader, await clock(db.reader))
        .whereIn('target_id', db.reader('notice_targets').where({ enabled: true }).select('id'))
        .groupBy('target_id')
        .orderByRaw('MIN(next_at)')
        .limit(max)
        .select('target_id')
      return rows.map(({ target_id }) => Number(target_id))
    },

    /** Claims the oldest due delivery of a target for CLAIM_S seconds. Returns undefined if there is none. */
    claim: (target_id: number): Promise<Outgoing | undefined> =>
      db.transaction(async (trx) => {
        const now = await clock(trx)
        const next = await due(trx, now).where({ target_id }).orderBy('id').first('id', 'attempts')
        if (!next) return undefined
        // If processes run concurrently, only the one whose UPDATE finds the row unchanged sends the delivery.
        const claimed = await due(trx, now)
          .where({ id: next.id, attempts: next.attempts })
          .update({ attempts: next.attempts + 1, next_at: now + CLAIM_S })
        return claimed > 0 ? find(trx, next.id) : undefined
      }),

    /** Reads a delivery that `beginTest` has claimed. Returns undefined if it is missing. */
    read: (id: number): Promise<Outgoing | undefined> => find(db.reader, id),

    /** Stores the outcome of an attempt. The delivery then is delivered, due again later, or failed. */
    finish: (outgoing: Outgoing, { delivered, status, error }: AttemptOutcome): Promise<void> =>
      db.transaction(async (trx) => {
        const now = await clock(trx)
        const { id, attempts, notice } = outgoing
        const delay = notice.event === TEST_EVENT ? undefined : retryDelay(attempts, random())
        const again = delay === undefined ? { state: 'failed' } : { next_at: now + delay }
        await trx('notice_deliveries')
          // Do nothing if another process has claimed the row in the meantime, or a user has retried the delivery.
          .where({ id, attempts, state: 'pending' })
          .update({
            status,
            // Remove NUL, which replies may contain. PostgreSQL rejects it, and the delivery would stay due forever.
            error: sanitizeText(error).slice(0, ERROR_LENGTH_MAX),
            ...(delivered ? { state: 'delivered', delivered_at: now } : again),
          })
      }),

    /**
     * Deletes notices older than RETENTION_S, and their deliveries. Stops early on abort. Returns the number of
     * notices.
     */
    async removeOld(signal?: AbortSignal): Promise<number> {
      const before = (await clock(db.reader)) - RETENTION_S
      return inShortBatches((rowsMax) =>
        signal?.aborted
          ? Promise.resolve(0)
          : db.transaction(async (trx) => {
              const old = trx('notices').where('created_at', '<', before).orderBy('created_at')
              const ids: number[] = await old.limit(rowsMax).pluck('id')
              await trx('notice_deliveries').whereIn('notice_id', ids).delete()
              await trx('notices').whereIn('id', ids).delete()
              return ids.length
            }),
      )
    },
  }
}
