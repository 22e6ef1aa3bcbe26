import type { StoredObjects } from '../../core/stored-objects.ts'
import type { Job } from './job.ts'

const EVERY_MS = 3600_000

/** Removes the records of upstream objects that have expired. */
export function storedObjectsJob(objects: Pick<StoredObjects, 'trim'>): Job {
  return {
    name: 'stored-objects',
    everyMs: EVERY_MS,
    async run() {
      const count = await objects.trim()
      return count > 0 ? `${count} removed` : undefined
    },
  }
}
