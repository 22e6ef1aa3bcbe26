import type { Command } from 'commander'
import type { LogFilter } from '../../core/logs/filter.ts'
import { pastTime, positiveInt } from './arguments.ts'

/** Filters of log rows on the command line. */
export interface LogFilterOptions {
  type?: string
  user?: string
  model?: string
  token?: string
  channel?: number
  group?: string
  request?: string
  since?: number
  until?: number
}

export function withLogFilter(command: Command): Command {
  return command
    .option('--type <word>', 'filter by type: top-up, consumption, admin, system or error')
    .option('--user <name>', 'filter by user')
    .option('--model <name>', 'filter by model; % matches any text')
    .option('--token <name>', 'filter by token name')
    .option('--channel <id>', 'filter by channel', positiveInt)
    .option('--group <name>', 'filter by group')
    .option('--request <id>', 'filter by request ID')
    .option('--since <when>', 'only rows since: a duration such as 1h or 7d, or a date such as 2026-01-31', pastTime)
    .option('--until <when>', 'only rows until: the same formats', pastTime)
}

export async function toLogFilter(options: LogFilterOptions): Promise<LogFilter> {
  const { type, user, model, token, channel, group, request, since, until } = options
  const [{ LOG_TYPE }, { numberOf }] = await Promise.all([import('../../core/logs/log.ts'), import('./enum-labels.ts')])
  return {
    ...(type !== undefined && { type: numberOf(LOG_TYPE, '--type', type) }),
    ...(user !== undefined && { username: user }),
    ...(model !== undefined && { model_name: model }),
    ...(token !== undefined && { token_name: token }),
    ...(channel !== undefined && { channel }),
    ...(group !== undefined && { group }),
    ...(request !== undefined && { request_id: request }),
    ...(since !== undefined && { start_timestamp: since }),
    ...(until !== undefined && { end_timestamp: until }),
  }
}
