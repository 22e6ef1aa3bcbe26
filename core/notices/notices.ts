import { removeOldOrigins } from '../accounts/sign-in-origins.ts'
import type { Clock } from '../db/clock.ts'
import type { ClockMs } from '../limits/exchange.ts'
import type { QuotaDisplay } from '../logs/texts.ts'
import { createNoticeDeliveries, type NoticeDeliveries } from './deliveries.ts'
import { createNoticeLevels, type NoticeLevels } from './levels.ts'
import { createOutgoingNotices, type OutgoingNotices } from './outgoing.ts'
import { createNoticeTargets, type NoticeTargets, type TargetParts } from './targets.ts'
import { createNoticeThresholds, type NoticeThresholds } from './thresholds.ts'

/** Notices about events: their targets, deliveries and thresholds. */
export interface Notices {
  readonly targets: NoticeTargets
  readonly deliveries: NoticeDeliveries
  readonly thresholds: NoticeThresholds
  readonly outgoing: OutgoingNotices
  readonly levels: NoticeLevels
  /** Returns the format of amounts, from the current options. */
  readonly display: () => QuotaDisplay
  /** Returns the mail addresses of the gateway's targets that get an event, in lower case. */
  mailAddresses(event: 'channel.disabled' | 'channel.enabled'): Promise<Set<string>>
  /** Deletes old notices and sign-in origins. Stops early if `signal` aborts. Returns the number of deleted rows. */
  removeOld(signal?: AbortSignal): Promise<number>
}

export function createNotices({
  display,
  clock,
  clockMs,
  ...parts
}: TargetParts & { display: () => QuotaDisplay; clock: Clock; clockMs: ClockMs }): Notices {
  const { db, now } = parts
  const targets = createNoticeTargets(parts)
  const outgoing = createOutgoingNotices({ ...parts, clock })
  return {
    targets,
    deliveries: createNoticeDeliveries(parts),
    thresholds: createNoticeThresholds(parts),
    outgoing,
    levels: createNoticeLevels({ ...parts, clock: clockMs }),
    display,
    async mailAddresses(event) {
      const all = await targets.ofGateway()
      const mails = all.filter(({ kind, enabled, events }) => kind === 'mail' && enabled && events.includes(event))
      return new Set(mails.map(({ address }) => address.toLowerCase()))
    },
    async removeOld(signal) {
      const removed = await outgoing.removeOld(signal)
      return removed + (await db.transaction((trx) => removeOldOrigins(trx, now())))
    },
  }
}
