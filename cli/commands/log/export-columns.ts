import type { Log } from '../../../core/logs/log.ts'

/** Columns of the CSV file: the fields of a row in the API, and a readable time. */
export const LOG_CSV: Record<string, (row: Log) => string | number | boolean> = {
  id: ({ id }) => id,
  time: ({ created_at }) => new Date(created_at * 1000).toISOString(),
  type: ({ type }) => type,
  user_id: ({ user_id }) => user_id,
  username: ({ username }) => username,
  token_id: ({ token_id }) => token_id,
  token_name: ({ token_name }) => token_name,
  model_name: ({ model_name }) => model_name,
  channel: ({ channel }) => channel,
  channel_name: ({ channel_name }) => channel_name,
  group: ({ group }) => group,
  prompt_tokens: ({ prompt_tokens }) => prompt_tokens,
  completion_tokens: ({ completion_tokens }) => completion_tokens,
  quota: ({ quota }) => quota,
  use_time: ({ use_time }) => use_time,
  is_stream: ({ is_stream }) => is_stream,
  request_id: ({ request_id }) => request_id,
  content: ({ content }) => content,
  other: ({ other }) => other,
}
