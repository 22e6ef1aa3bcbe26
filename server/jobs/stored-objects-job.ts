import type { StoredObjects } from '../../core/stored-objects.ts'
import type { Job } from './job.ts'

const EVERY_MS = 3600_000

/** Deletes expired records of upstream objects. */
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
