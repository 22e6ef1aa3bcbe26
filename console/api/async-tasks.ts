import type { Data } from './calls.ts'
import { call } from './client.ts'
import type { ListPage } from './list-page.ts'

/** A task of an upstream that takes its time; its times are unix seconds. */
export type AsyncTask = Data<'GET /api/task/self/page'>['items'][number]

/** Which tasks or drawings, and of whom; a range of unix seconds. */
export interface TaskSearch {
  /** Of the task: its upstream's; empty for any. */
  id: string
  /** 0 for any. */
  channel: number
  from: number
  to: number
  /** Everybody's, for administrators; else the own ones. */
  everybody: boolean
}

export function listAsyncTasks(
  { id, channel, from, to, everybody }: TaskSearch,
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
  return call(everybody ? 'GET /api/task/page' : 'GET /api/task/self/page', { query, signal })
}
