import type { Command } from 'commander'
import type { Actor } from '../core/actor.ts'
import { pastTime, positiveInt } from './input/arguments.ts'
import type { CommandToolkit } from './toolkit.ts'
import { userIdOf } from './users.ts'

/** Filters of lists of batches and files. */
export interface RecordFlags {
  user?: string | undefined
  channel?: number | undefined
  since?: number | undefined
  until?: number | undefined
}

export function withRecordFilter(command: Command): Command {
  return command
    .option('--user <name|id>', 'filter by user')
    .option('--channel <id>', 'filter by channel', positiveInt)
    .option(
      '--since <when>',
      'only those created since: a duration such as 1h or 7d, or a date such as 2026-01-31',
      pastTime,
    )
    .option('--until <when>', 'only those created until: the same formats', pastTime)
}

export async function toRecordFilter(
  toolkit: CommandToolkit,
  actor: Actor,
  { user, channel, since, until }: RecordFlags,
) {
  return {
    ...(user !== undefined && { user_id: await userIdOf(toolkit, actor, user) }),
    ...(channel !== undefined && { channel_id: channel }),
    ...(since !== undefined && { start_timestamp: since }),
    ...(until !== undefined && { end_timestamp: until }),
  }
}
