import { removeOldOrigins } from '../accounts/sign-in-origins.ts'
import type { Clock } from '../db/clock.ts'
import type { ClockMs } from '../limits/exchange.ts'
import type { QuotaDisplay } from '../logs/texts.ts'
import { createNoticeDeliveries } from './deliveries.ts'
import { createNoticeLevels } from './levels.ts'
import { createOutgoingNotices } from './outgoing.ts'
import { createNoticeTargets, type TargetParts } from './targets.ts'
import { createNoticeThresholds } from './thresholds.ts'

/** Notices about events: their targets, deliveries and thresholds. */
export type Notices = ReturnType<typeof createNotices>

export function createNotices({
  display,
  clock,
  clockMs,
  ...parts
}: TargetParts & { display: () => QuotaDisplay; clock: Clock; clockMs: ClockMs }) {
  const { db, now } = parts
  const targets = createNoticeTargets(parts)
  const outgoing = createOutgoingNotices({ ...parts, clock })
  return {
    targets,
    deliveries: createNoticeDeliveries(parts),
    thresholds: createNoticeThresholds(parts),
    outgoing,
    levels: createNoticeLevels({ ...parts, clock: clockMs }),
    /** Returns the format of amounts, from the current options. */
    display,
    /** Returns the mail addresses of the gateway's targets that get an event, in lower case. */
    async mailAddresses(event: 'channel.disabled' | 'channel.enabled'): Promise<Set<string>> {
      const all = await targets.ofGateway()
      const mails = all.filter(({ kind, enabled, events }) => kind === 'mail' && enabled && events.includes(event))
      return new Set(mails.map(({ address }) => address.toLowerCase()))
    },
    /** Deletes old notices and sign-in origins. Stops early if `signal` aborts. Returns the number of deleted rows. */
    async removeOld(signal?: AbortSignal): Promise<number> {
      const removed = await outgoing.removeOld(signal)
      return removed + (await db.transaction((trx) => removeOldOrigins(trx, now())))
    },
  }
}
