import type { StoredFile } from '../../../core/batches/files.ts'
import type { LiveChannel } from '../../../core/channels/routing/directory.ts'
import { channelOfBatch, filePath, pathOfBatch, type SettleParts } from './settle.ts'
import { UpstreamFailure } from './upstream.ts'
import { upstreamBatches } from './upstream-list.ts'

/** Age in seconds after which an accepted batch must have been charged. */
const CHARGED_AFTER_S = 30 * 60
/** Age in seconds after which the gateway stops trying to delete a file. */
const GIVE_UP_S = 7 * 24 * 3600
/** Maximum number of files per run. */
const FILES_MAX = 200
/** Statuses after which a retry is useless, because the object does not exist or has ended, or cannot be listed. */
const FINAL_STATUSES = new Set([400, 404, 405, 409, 410, 422])

/**
 * Deletes files that the gateway uploaded for batches that have ended, or were never charged, such as after the end of
 * their process. Cancels batches that were not charged, or were refunded.
 */
export async function removeLeftFiles(parts: SettleParts, abort: AbortSignal): Promise<void> {
  const { toolkit, logger, now = Date.now } = parts
  const seconds = Math.floor(now() / 1000)
  for (const { file, isPaid } of await toolkit.upstreamFiles.unusedSentFiles(seconds - CHARGED_AFTER_S, FILES_MAX)) {
    if (abort.aborted) return
    try {
      if (await removeLeft(file, { isPaid, abort }, parts)) await toolkit.upstreamFiles.remove(file.id)
    } catch (error) {
      if (!(error instanceof UpstreamFailure)) throw error
      const { fileId, channelId: channel, createdAt } = file
      logger.warn({ file: fileId, channel, reason: error.failure.message }, 'the file of a batch could not be deleted')
      if (seconds - createdAt > GIVE_UP_S) await toolkit.upstreamFiles.remove(file.id)
    }
  }
}

/**
 * Deletes a file, after canceling its batch if the batch is not paid. Returns whether the file needs no more work.
 * Throws UpstreamFailure.
 */
async function removeLeft(
  file: StoredFile,
  { isPaid, abort }: { isPaid: boolean; abort: AbortSignal },
  parts: SettleParts,
): Promise<boolean> {
  const channel = channelOfBatch(file, parts)
  if (!channel) return (await parts.toolkit.taskLifecycle.deletedChannels([file.channelId])).has(file.channelId)
  if (!isPaid) await cancelBatchesOf(file, channel, { ...parts, abort })
  const ask = { method: 'DELETE', path: filePath(file.fileId), abort } as const
  await parts.upstream.call(channel, ask).catch(throwUnlessFinal)
  return true
}

async function cancelBatchesOf(
  { fileId }: StoredFile,
  channel: LiveChannel,
  { upstream, logger, abort }: SettleParts & { abort: AbortSignal },
): Promise<void> {
  try {
    for await (const page of upstreamBatches(channel, { api: 'openai', abort }, { upstream })) {
      const batch = page.find(({ input_file_id }) => input_file_id === fileId)
      if (!batch) continue
      logger.warn({ batch: batch.id, channel: channel.id }, 'an unpaid batch is canceled')
      const cancel = pathOfBatch({ api: 'openai', batchId: String(batch.id) }, '/cancel')
      await upstream.call(channel, { method: 'POST', path: cancel, abort })
      return
    }
  } catch (error) {
    throwUnlessFinal(error)
  }
}

function throwUnlessFinal(error: unknown): undefined {
  if (!(error instanceof UpstreamFailure) || !FINAL_STATUSES.has(error.failure.status)) throw error
}
