import type { Actor } from '../core/actor.ts'
import { defined } from '../core/records.ts'
import type { Command } from './command.ts'
import { pastTime, positiveInt } from './input/arguments.ts'
import type { CommandToolkit } from './toolkit.ts'
import { userIdOf } from './users.ts'

/** Flags that filter lists of batches and files. */
export interface RecordFlags {
  user?: string | undefined
  channel?: number | undefined
  since?: number | undefined
  until?: number | undefined
}

export function withRecordFilter(command: Command): Command {
  return command
    .option('--user <name|id>', 'task.filterByUser')
    .option('--channel <id>', 'task.filterByChannel', positiveInt)
    .option('--since <when>', 'log.onlyRowsSince', pastTime)
    .option('--until <when>', 'log.onlyRowsUntil', pastTime)
}

export async function toRecordFilter(
  toolkit: CommandToolkit,
  actor: Actor,
  { user, channel, since, until }: RecordFlags,
) {
  return {
    ...(user !== undefined && { user_id: await userIdOf(toolkit, actor, user) }),
    ...defined({ channel_id: channel, start_timestamp: since, end_timestamp: until }),
  }
}
