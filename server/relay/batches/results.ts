import type { BatchUse } from '../../../core/batches/batches.ts'
import type { StoredBatch } from '../../../core/batches/rows.ts'
import { parseObject } from '../../../core/input.ts'
import { applyConditions, chargeQuota, type Usage } from '../../../core/pricing/prices.ts'
import { recordOf } from '../../../core/records.ts'
import { readUsage } from '../charging/usage.ts'
import { promptUsage } from '../endpoints/reported-usage.ts'
import { countOf, type Json, textOf } from '../json.ts'
import { messagesUsage } from '../providers/anthropic/messages-usage.ts'
import { readResponseUsage } from '../providers/openai/responses-end.ts'
import { splitLines } from './lines.ts'

/** Maximum number of bytes of one line in the results. The replies of models are shorter. */
export const RESULT_BYTES_MAX = 64 * 1024 * 1024

interface BatchResults extends BatchUse {
  /** Number of successful requests. Only these requests are charged. */
  readonly served: number
}

export const NO_RESULTS: BatchResults = { promptTokens: 0, completionTokens: 0, quota: 0, served: 0 }

/**
 * Sums the usage and the cost of the successful requests in a batch. Each costs the price at the creation of the batch,
 * and is rounded separately. A successful request without usage costs the estimate divided by the number of requests.
 * Failed, expired and canceled requests are free. Rejects if the stream ends early.
 */
export async function readResults(batch: StoredBatch, chunks: AsyncIterable<Buffer>): Promise<BatchResults> {
  const { models, requests } = batch.prices
  const estimatePerRequest = Math.floor(batch.quota / Math.max(1, batch.requestCount))
  const chargedIds = new Set<string>()
  let { promptTokens, completionTokens, quota, served } = NO_RESULTS
  for await (const { bytes } of splitLines(chunks, { lineBytesMax: RESULT_BYTES_MAX })) {
    const line = parseObject(bytes.toString('utf8'))
    if (!line) throw new Error('A line of the results is not a JSON object')
    const reply = replyIn(batch, line)
    const customId = textOf(line.custom_id) ?? ''
    // The results may repeat a request, which is charged only once.
    if (!reply || chargedIds.has(customId)) continue
    chargedIds.add(customId)
    served += 1
    const pricedModel = models[requests?.[customId] ?? 0]
    const usage = usageIn(batch, reply)
    if (!pricedModel || !usage) {
      quota += estimatePerRequest
      continue
    }
    const { price, effort } = pricedModel
    const { promptTokens: tokens } = usage
    const conditions = { promptTokens: tokens, tier: undefined, effort, at: batch.createdAt * 1000 }
    promptTokens += tokens
    completionTokens += usage.completionTokens
    quota += chargeQuota(applyConditions(price, conditions), usage)
  }
  return { promptTokens, completionTokens, quota, served }
}

/** Returns the reply in a line of the results, if the request succeeded. */
function replyIn({ api }: StoredBatch, line: Json): Json | undefined {
  if (api === 'anthropic') {
    const result = recordOf(line.result)
    return result.type === 'succeeded' ? recordOf(result.message) : undefined
  }
  const { status_code, body } = recordOf(line.response)
  return status_code === 200 ? recordOf(body) : undefined
}

function usageIn({ api, endpoint }: StoredBatch, reply: Json): Usage | undefined {
  if (api === 'anthropic') return messagesUsage().read(reply.usage)
  if (endpoint === '/v1/embeddings') return promptUsage(reply)
  return endpoint === '/v1/responses' ? readResponseUsage(reply.usage) : readUsage(reply.usage)
}

/** Returns the number of successful requests that an upstream reports. */
export function servedCount({ api }: Pick<StoredBatch, 'api'>, body: Json): number {
  const { completed, succeeded } = recordOf(body.request_counts)
  return countOf(api === 'anthropic' ? succeeded : completed)
}
