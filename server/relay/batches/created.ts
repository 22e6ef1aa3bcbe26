import type { StoredBatch } from '../../../core/batches/rows.ts'
import { type Json, textOf } from '../json.ts'
import type { CreatedBatch } from './submit.ts'

/** Returns an OpenAI batch from the upstream's JSON, with the id of the client's file instead of the sent copy. */
export function createdBatch(created: Json, { inputFileId }: Pick<StoredBatch, 'inputFileId'>): CreatedBatch {
  return {
    batchId: textOf(created.id) ?? '',
    status: textOf(created.status) ?? 'validating',
    body: JSON.stringify({ ...created, input_file_id: inputFileId }),
  }
}

/** Returns a batch of messages from the upstream's JSON. */
export function createdMessageBatch(created: Json): CreatedBatch {
  const status = textOf(created.processing_status) ?? 'in_progress'
  return { batchId: textOf(created.id) ?? '', status, body: JSON.stringify(created) }
}
