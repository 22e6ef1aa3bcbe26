import type { StoredFile } from '../../../core/batches/files.ts'
import { GatewayError } from '../../../core/errors.ts'
import { advanceBatch, channelOfBatch, filePath, type SettleParts } from './settle.ts'
import { UpstreamFailure } from './upstream.ts'

const NOT_FOUND_STATUS = 404

/**
 * Deletes a file at its upstream and in the gateway. If a batch wrote the file, settles the batch first, because its
 * cost is computed from the file. Throws BATCH_NOT_ENDED and UpstreamFailure.
 */
export async function removeFile(file: StoredFile, parts: SettleParts): Promise<void> {
  const { toolkit, upstream } = parts
  const { fileId, batchRow } = file
  const batch = batchRow > 0 ? await toolkit.batches.get(batchRow) : undefined
  if (batch && batch.settledAt === 0 && !(await advanceBatch(batch, parts))) {
    throw new GatewayError('BATCH_NOT_ENDED', { id: batch.batchId })
  }
  const channel = channelOfBatch(file, parts)
  if (channel) {
    await upstream.call(channel, { method: 'DELETE', path: filePath(fileId) }).catch((error) => {
      if (!(error instanceof UpstreamFailure) || error.failure.status !== NOT_FOUND_STATUS) throw error
    })
  }
  await toolkit.upstreamFiles.remove(file.id)
  await toolkit.storedObjects.forget(file, [{ kind: 'file', id: fileId }])
}
