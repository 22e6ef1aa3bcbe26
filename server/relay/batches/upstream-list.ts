import type { LiveChannel } from '../../../core/channels/routing/directory.ts'
import type { BatchApi } from '../../../core/channels/types/types.ts'
import { recordOf } from '../../../core/records.ts'
import { arrayOf, type Json, textOf } from '../json.ts'
import type { BatchUpstream } from './upstream.ts'

/** Maximum number of pages to read, with 100 batches each. */
const PAGES_MAX = 10

const LISTS = {
  openai: { path: '/v1/batches', after: 'after' },
  anthropic: { path: '/v1/messages/batches', after: 'after_id' },
} as const satisfies Record<BatchApi, { path: string; after: string }>

/**
 * Yields the pages of an upstream's list of batches, newest first. At the end, returns whether the whole list was read.
 * Throws UpstreamFailure.
 */
export async function* upstreamBatches(
  channel: LiveChannel,
  { api, abort }: { api: BatchApi; abort: AbortSignal },
  { upstream }: { upstream: BatchUpstream },
): AsyncGenerator<readonly Json[], boolean> {
  const { path, after } = LISTS[api]
  let last = ''
  for (let page = 0; page < PAGES_MAX; page++) {
    const query = `?limit=100${last && `&${after}=${encodeURIComponent(last)}`}`
    const list = await upstream.call(channel, { method: 'GET', path: path + query, abort })
    const batches = arrayOf(list.data).map(recordOf)
    yield batches
    last = textOf(batches.at(-1)?.id) ?? ''
    if (list.has_more !== true || last === '') return true
  }
  return false
}
