import type { TaskSearch } from './async-tasks.ts'
import type { Data } from './calls.ts'
import { call } from './client.ts'
import type { ListPage } from './list-page.ts'

/** A drawing; its times are unix milliseconds. */
export type Drawing = Data<'GET /api/mj/self/page'>['items'][number]

/** Lists drawings. `from` and `to` are unix seconds, but the server expects milliseconds. */
export function listDrawings(
  { id, channel, from, to, allUsers }: TaskSearch,
  { page, pageSize }: ListPage,
  signal?: AbortSignal,
) {
  const query = {
    mj_id: id,
    channel_id: channel,
    start_timestamp: from * 1000,
    end_timestamp: to * 1000,
    p: page,
    page_size: pageSize,
  }
  return call(allUsers ? 'GET /api/mj/page' : 'GET /api/mj/self/page', { query, signal })
}
