import type { Knex } from 'knex'
import { wherePattern } from '../db/like.ts'

/** Filters for log rows and their statistics. Times are Unix seconds, inclusive. 0 and empty texts match all rows. */
export interface LogFilter {
  type?: number
  username?: string
  userId?: number
  /** Matches only requests with the keys of this member, if the user is a team's account. */
  memberId?: number
  token_name?: string
  /** A LIKE pattern: `%` and `_` are wildcards. */
  model_name?: string
  channel?: number
  group?: string
  request_id?: string
  start_timestamp?: number
  end_timestamp?: number
}

const FILTERS = [
  ...(['type', 'username', 'userId', 'memberId', 'token_name', 'model_name', 'channel', 'group'] as const),
  ...(['request_id', 'start_timestamp', 'end_timestamp'] as const),
] satisfies (keyof LogFilter)[]

/** Returns the filters of a query in a fixed order. Omits paging, and filters that are 0 or empty. */
export function logFilterOf(query: LogFilter): LogFilter {
  return Object.fromEntries(FILTERS.filter((name) => query[name]).map((name) => [name, query[name]]))
}

export function applyFilter(query: Knex.QueryBuilder, filter: LogFilter): void {
  const { type, username, userId, memberId, token_name, model_name, channel, group, request_id } = filter
  if (type) query.where('logs.type', type)
  if (userId) query.where('logs.user_id', userId)
  if (memberId)
    query.whereIn('logs.token_id', (keys) => keys.from('tokens').where({ member_id: memberId }).select('id'))
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
 * Returns whether to sort by time instead of by id. Indexes contain the rows of a user, model, channel, token name or
 * time range in the order of times. To sort by id, the database would have to read all matching rows for each page.
 */
export function isByTime(filter: LogFilter): boolean {
  const { userId, token_name, model_name, channel, start_timestamp, end_timestamp } = filter
  return Boolean(
    userId || token_name || channel || start_timestamp || end_timestamp || (model_name && !/[%_]/.test(model_name)),
  )
}
