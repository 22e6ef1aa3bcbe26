import type { Knex } from 'knex'
import { fromJson, type JsonText, toJson } from '../db/json.ts'
import { noticeRecipients } from '../teams/access.ts'
import type { NoticeEvent, TEST_EVENT } from './notice.ts'

interface NewNotice {
  readonly event: NoticeEvent
  /** The object of the notice, such as channel:7. */
  readonly subject: string
  /** The account that the notice concerns. Absent if it concerns the gateway. */
  readonly userId?: number
  /** The member whose team key the notice concerns. */
  readonly memberId?: number | undefined
  /** Identifies the cause. A second notice with the same value is not written. */
  readonly dedupe?: string | undefined
  /** Minimum seconds between notices with the same event and subject. */
  readonly quietS?: number
  readonly data: Readonly<Record<string, unknown>>
  /** Unix seconds. */
  readonly now: number
}

const SUBJECT_LENGTH_MAX = 128
const DEDUPE_LENGTH_MAX = 128
const ROWS_PER_INSERT = 100

/**
 * Writes a notice with a delivery for each subscribed target, in the transaction of its cause. Returns the id of the
 * notice. Writes nothing and returns undefined if no target subscribes to the event, if a notice has the same `dedupe`,
 * or if the last notice with this event and subject is less than `quietS` seconds old.
 */
export async function recordNotice(trx: Knex.Transaction, notice: NewNotice): Promise<number | undefined> {
  const targets = await targetsOf(trx, notice)
  if (targets.length === 0 || (await isQuiet(trx, notice))) return undefined
  return insertNotice(trx, { ...notice, dedupe: notice.dedupe ?? keyOfQuietTime(notice) }, targets)
}

/** Writes a notice for these targets. Returns its id, or undefined if another notice has the same `dedupe`. */
export async function insertNotice(
  trx: Knex.Transaction,
  { event, subject, userId, dedupe, data, now }: Omit<NewNotice, 'event'> & { event: NoticeEvent | typeof TEST_EVENT },
  targets: readonly number[],
): Promise<number | undefined> {
  const row = {
    event,
    user_id: userId ?? null,
    subject: subject.slice(0, SUBJECT_LENGTH_MAX),
    dedupe: dedupe ?? null,
    data: toJson(data),
    created_at: now,
  }
  const [inserted] = await trx('notices').insert(row).onConflict('dedupe').ignore().returning('id')
  if (!inserted) return undefined
  const notice_id = Number(inserted.id)
  const pending = { notice_id, state: 'pending', next_at: now, created_at: now }
  const deliveries = targets.map((target_id) => ({ ...pending, target_id }))
  await trx.batchInsert('notice_deliveries', deliveries, ROWS_PER_INSERT)
  return notice_id
}

/** Returns the targets of a notice. A team cannot have targets, so `noticeRecipients` get the notices about a team. */
async function targetsOf(trx: Knex.Transaction, { event, userId, memberId }: NewNotice): Promise<number[]> {
  const rows: { id: number; events: JsonText<NoticeEvent[]> }[] = await trx('notice_targets')
    .where({ enabled: true })
    .where((owner) => {
      owner.whereNull('user_id')
      if (userId === undefined) return
      owner.orWhere({ user_id: userId }).orWhereIn('user_id', noticeRecipients(trx, { teamId: userId, memberId }))
    })
    .orderBy('id')
    .select('id', 'events')
  return rows.filter(({ events }) => fromJson(events).includes(event)).map(({ id }) => Number(id))
}

/**
 * Returns a `dedupe` value for the time interval of the notice. Concurrent transactions do not see each other's
 * notices, but only one of them can insert this value.
 */
function keyOfQuietTime({ event, subject, quietS, now }: NewNotice): string | undefined {
  if (quietS === undefined) return undefined
  return `${Math.floor(now / quietS)} ${event} ${subject}`.slice(0, DEDUPE_LENGTH_MAX)
}

async function isQuiet(trx: Knex.Transaction, { event, subject, quietS, now }: NewNotice): Promise<boolean> {
  if (quietS === undefined) return false
  const recent = await trx('notices')
    .where({ event, subject: subject.slice(0, SUBJECT_LENGTH_MAX) })
    .where('created_at', '>', now - quietS)
    .first('id')
  return recent !== undefined
}
