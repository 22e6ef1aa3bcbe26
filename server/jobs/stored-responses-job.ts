import type { LocalToolkit } from '../../core/toolkit.ts'
import type { Job } from './job.ts'

const EVERY_MS = 600_000

/** Removes stored responses, conversations and thoughts that have expired, and the oldest of users who store more than they may. */
export function storedResponsesJob({
  responses,
  conversations,
  thoughts,
}: Pick<LocalToolkit, 'responses' | 'conversations' | 'thoughts'>): Job {
  return {
    name: 'stored-responses',
    everyMs: EVERY_MS,
    async run() {
      const count = (await responses.trim()) + (await conversations.trim()) + (await thoughts.trim())
      return count > 0 ? `${count} removed` : undefined
    },
  }
}
