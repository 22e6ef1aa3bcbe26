import { checkBalances } from '../../core/ledger/daily-check.ts'
import type { LocalToolkit } from '../../core/toolkit.ts'
import type { Job } from '../jobs/job.ts'
import type { DeliverNotice } from './deliver.ts'

const DELIVER_EVERY_MS = 5_000
const LEDGER_EVERY_MS = 24 * 3600_000
/** Maximum number of targets that are served concurrently. */
const TARGETS_AT_ONCE = 8
const TARGETS_PER_RUN = 200
/** Maximum number of deliveries per target and run, so that one target does not delay others. */
const DELIVERIES_PER_TARGET = 50

/** Returns the job that delivers due notices. It delivers the notices of a target in order, until a delivery fails. */
export function noticeDeliveryJob({ outgoing }: LocalToolkit['notices'], deliver: DeliverNotice): Job {
  async function serve(targetId: number, signal: AbortSignal): Promise<number> {
    let delivered = 0
    for (let count = 0; count < DELIVERIES_PER_TARGET && !signal.aborted; count++) {
      const next = await outgoing.claim(targetId)
      if (!next) break
      const outcome = await deliver(next, signal)
      // An attempt that an abort has interrupted does not count. The delivery is due again when the claim expires.
      if (signal.aborted && !outcome.delivered) break
      await outgoing.finish(next, outcome)
      if (!outcome.delivered) break
      delivered++
    }
    return delivered
  }

  return {
    name: 'notices',
    everyMs: DELIVER_EVERY_MS,
    async run(signal) {
      const targets = await outgoing.dueTargets(TARGETS_PER_RUN)
      let delivered = 0
      const errors: unknown[] = []
      const worker = async () => {
        for (let id = targets.shift(); id !== undefined && !signal.aborted; id = targets.shift()) {
          // If one target's rows cannot be read or written, other targets must still get their notices.
          const count = await serve(id, signal).catch((error) => {
            errors.push(error)
            return 0
          })
          // Read `delivered` only after the await, because other workers change it during the await.
          delivered += count
        }
      }
      await Promise.all(Array.from({ length: Math.min(TARGETS_AT_ONCE, targets.length) }, worker))
      if (errors.length > 0) throw errors[0]
      return delivered > 0 ? `${delivered} delivered` : undefined
    },
  }
}

/** Returns the job that compares balances with the ledger once a day, if a target subscribes to `ledger.mismatch`. */
export function ledgerCheckJob({ db, notices }: Pick<LocalToolkit, 'db' | 'notices'>): Job {
  return {
    name: 'ledger-check',
    everyMs: LEDGER_EVERY_MS,
    async run() {
      const targets = await notices.targets.ofGateway()
      if (!targets.some(({ enabled, events }) => enabled && events.includes('ledger.mismatch'))) return undefined
      const { users, differences } = await checkBalances(db, Math.floor(Date.now() / 1000))
      return differences === 0 ? `${users} users equal` : `${differences} users differ`
    },
  }
}
