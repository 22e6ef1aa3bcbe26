import type { DueBatch } from '../../../core/batches/batches.ts'
import { SUBMITTING } from '../../../core/batches/rows.ts'
import type { Job } from '../../jobs/job.ts'
import { resolveSubmission } from './find-submitted.ts'
import { removeLeftFiles } from './sent-files.ts'
import { advanceBatch, type SettleParts } from './settle.ts'
import { UpstreamFailure } from './upstream.ts'

const EVERY_MS = 15_000
/** Maximum number of batches per run. */
const BATCHES_MAX = 200
/** Number of parallel polls, so that a slow upstream does not delay the polls of others. */
const POLLS_AT_ONCE = 4
/** Bounds of the time between two polls of a batch, which otherwise is the age of the batch divided by AGE_DIVISOR. */
const PAUSE_MIN_S = 15
const PAUSE_MAX_S = 300
const AGE_DIVISOR = 20
const LEFT_FILES_EVERY_MS = 5 * 60_000

/**
 * Creates the job that polls the upstreams of running batches and settles ended batches. Several processes may run it
 * at once.
 */
export function batchPoll({ now = Date.now, ...rest }: SettleParts): Job {
  const parts = { ...rest, now }
  const { toolkit, logger } = parts
  let leftFilesAt = 0

  async function pollBatch(due: DueBatch, signal: AbortSignal): Promise<'settled' | 'polled' | undefined> {
    const seconds = Math.floor(now() / 1000)
    const age = seconds - due.createdAt
    const pause = Math.min(PAUSE_MAX_S, Math.max(PAUSE_MIN_S, Math.floor(age / AGE_DIVISOR)))
    if (!(await toolkit.batches.claim(due, seconds + pause))) return undefined
    const batch = await toolkit.batches.get(due.id)
    if (!batch) return undefined
    try {
      const advance = batch.status === SUBMITTING ? resolveSubmission : advanceBatch
      return (await advance(batch, parts, signal)) ? 'settled' : 'polled'
    } catch (error) {
      if (signal.aborted) return undefined
      const reason = error instanceof UpstreamFailure ? error.failure.message : String(error)
      logger.warn({ batch: batch.batchId, channel: batch.channelId, reason }, 'a batch could not be read')
      return 'polled'
    }
  }

  return {
    name: 'batch-poll',
    everyMs: EVERY_MS,
    async run(signal) {
      const due = await toolkit.batches.due(BATCHES_MAX)
      const counts = { polled: 0, settled: 0 }
      const queue = due.values()
      const work = async () => {
        for (const batch of queue) {
          if (signal.aborted) return
          const result = await pollBatch(batch, signal)
          if (result) counts.polled += 1
          if (result === 'settled') counts.settled += 1
        }
      }
      await Promise.all(Array.from({ length: POLLS_AT_ONCE }, work))
      if (now() - leftFilesAt >= LEFT_FILES_EVERY_MS) {
        leftFilesAt = now()
        await removeLeftFiles(parts, signal)
      }
      return counts.polled ? `${counts.polled} polled, ${counts.settled} settled` : undefined
    },
  }
}
