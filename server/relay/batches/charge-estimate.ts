import { newBatchRow, type StoredBatch, SUBMITTING } from '../../../core/batches/rows.ts'
import type { LiveChannel } from '../../../core/channels/routing/directory.ts'
import type { Hold, SettleOutcome } from '../../../core/ledger/charge.ts'
import { OPTIONS } from '../../../core/options/registry.ts'
import type { LocalToolkit } from '../../../core/toolkit.ts'
import { joinParts, ratioText, remark } from '../charging/price-text.ts'

export type NewBatch = Parameters<typeof newBatchRow>[0]

/** The payer of a batch, as shown in its log row. */
interface BatchPayer {
  readonly username: string
  readonly tokenName: string
  readonly group: string
}

/** Charges a batch's estimate and replaces the batch's row in one transaction. Only replaces the row if it is 0. */
export async function chargeEstimate(
  batch: Omit<NewBatch, 'submitter'>,
  payment: { hold: Hold; payer: BatchPayer; channel: LiveChannel | undefined; useTimeSeconds: number },
  toolkit: Pick<LocalToolkit, 'ledger' | 'taskLifecycle' | 'options' | 'pricing'>,
): Promise<SettleOutcome> {
  const { hold, payer, channel, useTimeSeconds } = payment
  const task = { table: 'batches', row: newBatchRow({ ...batch, submitter: '' }) } as const
  const { requestId, userId, tokenId, channelId, model, requestCount: requests, quota } = batch
  if (quota === 0) {
    toolkit.ledger.release(hold)
    return (await toolkit.taskLifecycle.insertUnpaid(task)) ? 'settled' : 'task-exists'
  }
  const ratio = toolkit.options.get(OPTIONS.BatchPriceRatio)
  return toolkit.ledger.settle(hold, {
    requestId,
    userId,
    tokenId,
    channelId,
    ...payer,
    modelName: model,
    promptTokens: 0,
    completionTokens: 0,
    quota,
    useTimeSeconds,
    isStream: false,
    content: joinParts([
      `${remark('remark.batch')} ${idText(batch)}`,
      remark('remark.requestsEstimate', { count: requests }),
      `${remark('remark.batchDiscount')} ${ratioText(ratio)}`,
    ]),
    other: JSON.stringify({
      batch: { id: batch.batchId, requests, ratio },
      estimated: true,
      price_version: toolkit.pricing.version,
      hold: hold.quota,
      admin_info: { use_channel: [String(channelId)], ...(channel?.keyName && { key: channel.keyName }) },
    }),
    task,
  })
}

function idText({ status, batchId }: Pick<StoredBatch, 'status' | 'batchId'>): string {
  return status === SUBMITTING ? remark('remark.unconfirmed') : batchId
}
