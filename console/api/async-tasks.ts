import type { Data } from './calls.ts'
import { call } from './client.ts'
import type { ListPage } from './list-page.ts'

/** An asynchronous upstream task; its times are unix seconds. */
export type AsyncTask = Data<'GET /api/task/self/page'>['items'][number]

/** Filters for tasks or drawings; the range is in unix seconds. */
export interface TaskSearch {
  /** The upstream's task id; empty for any. */
  id: string
  /** The channel's id; 0 for any. */
  channel: number
  from: number
  to: number
  /** True: tasks of all users, for administrators. False: tasks of the current user. */
  allUsers: boolean
}

export function listAsyncTasks(
  { id, channel, from, to, allUsers }: TaskSearch,
  { page, pageSize }: ListPage,
  signal?: AbortSignal,
) {
  const query = {
    task_id: id,
    channel_id: channel,
    start_timestamp: from,
    end_timestamp: to,
    p: page,
    page_size: pageSize,
  }
  return call(allUsers ? 'GET /api/task/page' : 'GET /api/task/self/page', { query, signal })
}
