import type { RelayOutcomes } from '../../core/relay-outcomes.ts'
import type { Job } from './job.ts'

const EVERY_MS = 3600_000

/** Deletes stored outcomes of idempotent relays after a day. */
export function relayOutcomesJob(outcomes: Pick<RelayOutcomes, 'trim'>): Job {
  return {
    name: 'relay-outcomes',
    everyMs: EVERY_MS,
    async run() {
      const count = await outcomes.trim()
      return count > 0 ? `${count} removed` : undefined
    },
  }
}
