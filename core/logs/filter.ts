import type { Knex } from 'knex'
import { wherePattern } from '../db/like.ts'

/** What a list of log rows, or its statistics, can be narrowed by. Times are unix seconds, inclusive; 0 is open. */
export interface LogFilter {
  type?: number
  username?: string
  userId?: number
  token_name?: string
  /** A LIKE pattern: `%` and `_` are wildcards. */
  model_name?: string
  channel?: number
  group?: string
  request_id?: string
  start_timestamp?: number
  end_timestamp?: number
}

/** What of a query narrows the rows, without its page. */
export function filterOf({
  type,
  username,
  userId,
  token_name,
  model_name,
  channel,
  group,
  request_id,
  start_timestamp,
  end_timestamp,
}: LogFilter): LogFilter {
  return {
    ...(type && { type }),
    ...(username && { username }),
    ...(userId && { userId }),
    ...(token_name && { token_name }),
    ...(model_name && { model_name }),
    ...(channel && { channel }),
    ...(group && { group }),
    ...(request_id && { request_id }),
    ...(start_timestamp && { start_timestamp }),
    ...(end_timestamp && { end_timestamp }),
  }
}

export function applyFilter(query: Knex.QueryBuilder, filter: LogFilter): void {
  const { type, username, userId, token_name, model_name, channel, group, request_id } = filter
  if (type) query.where('logs.type', type)
  if (userId) query.where('logs.user_id', userId)
  if (username) query.where('logs.username', username)
  if (token_name) query.where('logs.token_name', token_name)
  if (model_name) {
    if (/[%_]/.test(model_name)) wherePattern(query, 'logs.model_name', model_name)
    else query.where('logs.model_name', model_name)
  }
  if (channel) query.where('logs.channel_id', channel)
  if (group) query.where('logs.group', group)
  if (request_id) {
    query.where((either) =>
      either
        .where('logs.request_id', request_id)
        .orWhereIn('logs.id', (failed) => failed.from('failed_relays').where({ request_id }).select('log_id')),
    )
  }
  if (filter.start_timestamp) query.where('logs.created_at', '>=', filter.start_timestamp)
  if (filter.end_timestamp) query.where('logs.created_at', '<=', filter.end_timestamp)
}

/**
 * Whether what a filter leaves is best read in the order of time, for which there are indexes: the rows of a user, model, channel or
 * name of a token, and those of a range. In the order of ids a database sorts all of them for each page.
 */
export function isByTime(filter: LogFilter): boolean {
  const { userId, token_name, model_name, channel, start_timestamp, end_timestamp } = filter
  return Boolean(
    userId || token_name || channel || start_timestamp || end_timestamp || (model_name && !/[%_]/.test(model_name)),
  )
}
