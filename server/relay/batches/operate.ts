import type { Logger } from 'pino'
import type { Actor } from '../../../core/actor.ts'
import { SUBMITTING } from '../../../core/batches/rows.ts'
import type { BatchRecord, FileRecord } from '../../../core/batches/schema.ts'
import type { ChannelDirectory } from '../../../core/channels/routing/directory.ts'
import { GatewayError } from '../../../core/errors.ts'
import type { LocalToolkit } from '../../../core/toolkit.ts'
import type { OutboundClients } from '../transport/outbound-clients.ts'
import { removeFile } from './remove-file.ts'
import { getChannelOf, hasEnded, pathOfBatch, refreshBatch } from './settle.ts'
import { createBatchUpstream, UpstreamFailure } from './upstream.ts'

interface OperateParts {
  readonly toolkit: LocalToolkit
  readonly directory: Pick<ChannelDirectory, 'find'>
  readonly links: Pick<OutboundClients, 'upstream'>
  readonly logger: Logger
}

/** Administrators' operations on batches and files of any user. Each is audited before the upstream is called. */
export function createBatchOperations({ links, ...rest }: OperateParts) {
  const parts = { ...rest, upstream: createBatchUpstream(links) }
  const { toolkit } = parts
  const { audit, batchRecords, batches, upstreamFiles } = toolkit

  return {
    /**
     * Cancels a running batch and returns its new state. The job `batch-poll` settles the batch after its end. Throws
     * BATCH_NOT_FOUND, BATCH_SUBMITTING, BATCH_ENDED, BATCH_CHANNEL_GONE, UPSTREAM_REFUSED.
     */
    async cancelBatch(actor: Actor, id: number): Promise<BatchRecord> {
      const { batch_id } = await batchRecords.getBatch(actor, id)
      const batch = await batches.get(id)
      if (!batch) throw new GatewayError('BATCH_NOT_FOUND', { id })
      if (batch.status === SUBMITTING) throw new GatewayError('BATCH_SUBMITTING')
      if (batch.settledAt > 0 || hasEnded(batch)) throw new GatewayError('BATCH_ENDED', { id: batch_id })
      const channel = getChannelOf(batch, batch_id, parts)
      await audit.writeAlone(actor, { action: 'batch.cancel', object: `batch:${id}` })
      await withUpstreamErrors(async () => {
        const answered = await parts.upstream.call(channel, { method: 'POST', path: pathOfBatch(batch, '/cancel') })
        await refreshBatch(batch, channel, { ...parts, answered })
      })
      return batchRecords.getBatch(actor, id)
    },
    /** Deletes a file and returns its last state. Throws FILE_NOT_FOUND, BATCH_NOT_ENDED, UPSTREAM_REFUSED. */
    async deleteFile(actor: Actor, id: number): Promise<FileRecord> {
      const record = await batchRecords.getFile(actor, id)
      const file = await upstreamFiles.get(id)
      if (!file) throw new GatewayError('FILE_NOT_FOUND', { id })
      await audit.writeAlone(actor, { action: 'file.delete', object: `file:${id}` })
      await withUpstreamErrors(() => removeFile(file, parts))
      return record
    },
  }
}

export type BatchOperations = ReturnType<typeof createBatchOperations>

async function withUpstreamErrors(work: () => Promise<void>): Promise<void> {
  try {
    await work()
  } catch (error) {
    if (!(error instanceof UpstreamFailure)) throw error
    const { message, messageZh = message } = error.failure
    throw new GatewayError('UPSTREAM_REFUSED', { reason: message, reason_zh: messageZh }, { cause: error })
  }
}
