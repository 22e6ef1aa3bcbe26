import type { LocalToolkit } from '../../core/toolkit.ts'
import type { Job } from './job.ts'

const EVERY_MS = 600_000

/**
 * Deletes expired responses, conversations, reasoning and realtime keys, and the oldest responses of users above their storage
 * limit.
 */
export function storedResponsesJob({
  responses,
  conversations,
  thoughts,
  realtimeKeys,
}: Pick<LocalToolkit, 'responses' | 'conversations' | 'thoughts' | 'realtimeKeys'>): Job {
  return {
    name: 'stored-responses',
    everyMs: EVERY_MS,
    async run() {
      const removed = (await responses.trim()) + (await conversations.trim()) + (await thoughts.trim())
      const count = removed + (await realtimeKeys.trim())
      return count > 0 ? `${count} removed` : undefined
    },
  }
}
