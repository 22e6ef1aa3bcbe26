import type { LogFilter } from '../../core/logs/filter.ts'
import { LOG_TYPE } from '../../core/logs/log.ts'
import { defined } from '../../core/records.ts'
import type { Command } from '../command.ts'
import { pastTime, positiveInt } from './arguments.ts'
import { numberOfLabel } from './enum-labels.ts'

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
    .option('--type <word>', 'log.filterByType')
    .option('--user <name>', 'task.filterByUser')
    .option('--model <name>', 'log.filterByModel')
    .option('--token <name>', 'log.filterByTokenName')
    .option('--channel <id>', 'task.filterByChannel', positiveInt)
    .option('--group <name>', 'user.filterByGroup')
    .option('--request <id>', 'log.filterByRequestId')
    .option('--since <when>', 'log.onlyRowsSince', pastTime)
    .option('--until <when>', 'log.onlyRowsUntil', pastTime)
}

/** Converts the flags to a filter. Throws a usage error for an unknown type. */
export function toLogFilter(options: LogFilterOptions): LogFilter {
  const { type, user, model, token, channel, group, request, since, until } = options
  return {
    ...(type !== undefined && { type: numberOfLabel(LOG_TYPE, '--type', type) }),
    ...defined({
      username: user,
      model_name: model,
      token_name: token,
      channel,
      group,
      request_id: request,
      start_timestamp: since,
      end_timestamp: until,
    }),
  }
}
