import type { Actor } from '../core/actor.ts'
import type { BatchRecords } from '../core/batches/records.ts'
import type { BatchRecord, FileRecord } from '../core/batches/schema.ts'

/** Batches and files at upstreams, for commands. The machine with the database calls the upstreams. */
export interface CommandBatches extends Omit<BatchRecords, 'pageOfOwnBatches' | 'pageOfOwnFiles'> {
  /** Throws BATCH_NOT_FOUND, BATCH_SUBMITTING, BATCH_ENDED, BATCH_CHANNEL_GONE, UPSTREAM_REFUSED. */
  cancelBatch(actor: Actor, id: number): Promise<BatchRecord>
  /** Throws FILE_NOT_FOUND, BATCH_NOT_ENDED, UPSTREAM_REFUSED. */
  deleteFile(actor: Actor, id: number): Promise<FileRecord>
}
