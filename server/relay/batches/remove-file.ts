import type { StoredFile } from '../../../core/batches/files.ts'
import type { LiveChannel } from '../../../core/channels/routing/directory.ts'
import { GatewayError } from '../../../core/errors.ts'
import { advanceBatch, channelOfBatch, filePath, type SettleParts } from './settle.ts'
import { UpstreamFailure } from './upstream.ts'

const NOT_FOUND_STATUS = 404

/**
 * Deletes a file at its upstream and in the gateway. First settles the batch that wrote the file, if any, because the
 * batch's cost is computed from the file. Throws BATCH_NOT_ENDED and UpstreamFailure.
 */
export async function removeFile(file: StoredFile, parts: SettleParts): Promise<void> {
  const { toolkit } = parts
  const { fileId, batchRow } = file
  const batch = batchRow > 0 ? await toolkit.batches.get(batchRow) : undefined
  if (batch && batch.settledAt === 0 && !(await advanceBatch(batch, parts))) {
    throw new GatewayError('BATCH_NOT_ENDED', { id: batch.batchId })
  }
  const channel = channelOfBatch(file, parts)
  if (channel) await deleteAtUpstream(channel, filePath(fileId), parts)
  await toolkit.upstreamFiles.remove(file.id)
  await toolkit.storedObjects.forget(file, [{ kind: 'file', id: fileId }])
}

/** Deletes an object at its upstream, if it still exists there. Throws UpstreamFailure. */
export async function deleteAtUpstream(
  channel: LiveChannel,
  path: string,
  { upstream }: Pick<SettleParts, 'upstream'>,
): Promise<void> {
  await upstream.call(channel, { method: 'DELETE', path }).catch((error) => {
    if (!(error instanceof UpstreamFailure) || error.failure.status !== NOT_FOUND_STATUS) throw error
  })
}
