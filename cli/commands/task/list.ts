import { Command } from 'commander'
import { MUSIC_PLATFORM } from '../../../core/tasks/music.ts'
import { pageLimit, pastTime, positiveInt } from '../../arguments.ts'
import type { Cli } from '../../cli.ts'
import { type Kind, kindOption } from './kind.ts'

interface Options {
  kind: Kind
  id?: string
  action?: string
  status?: string
  user?: string
  channel?: number
  since?: number
  until?: number
  page: number
  limit: number
}

const MS_PER_S = 1000

export function taskList(cli: Cli): Command {
  return new Command('list')
    .description('List tasks, newest first')
    .addOption(kindOption())
    .option('--id <id>', 'only what the upstream calls by this id')
    .option('--action <word>', 'only those of this action, for example MUSIC, LYRICS or IMAGINE', upperCase)
    .option('--status <word>', 'only those in this state, for example SUCCESS, FAILURE or IN_PROGRESS', upperCase)
    .option('--user <name|id>', 'only those of this user')
    .option('--channel <id>', 'only those of this channel', positiveInt)
    .option('--since <when>', 'a duration such as 1h or 7d, or a date such as 2026-01-31', pastTime)
    .option('--until <when>', 'the same, for the other end', pastTime)
    .option('--page <n>', 'page to show', positiveInt, 1)
    .option('--limit <n>', 'rows of a page', pageLimit, 20)
    .addHelpText('after', '\nExample:\n  tollgate task list --kind drawing --status FAILURE --since 7d')
    .action(async ({ kind, id, action, status, user, channel, since, until, page, limit }: Options) => {
      const [{ toolkit, actor }, { userIdOf }, { DRAWING_COLUMNS, TASK_COLUMNS }] = await Promise.all([
        cli.open(),
        import('../../users.ts'),
        import('../../columns/task.ts'),
      ])
      const unit = kind === 'drawing' ? MS_PER_S : 1
      const filter = {
        page,
        pageSize: limit,
        ...(action !== undefined && { action }),
        ...(status !== undefined && { status }),
        ...(user !== undefined && { user_id: await userIdOf(toolkit, actor, user) }),
        ...(channel !== undefined && { channel_id: channel }),
        ...(since !== undefined && { start_timestamp: since * unit }),
        ...(until !== undefined && { end_timestamp: until * unit }),
      }
      if (kind === 'drawing') {
        const drawings = await toolkit.tasks.pageOfDrawings(actor, {
          ...filter,
          ...(id !== undefined && { mj_id: id }),
        })
        await cli.print(drawings, { columns: DRAWING_COLUMNS, empty: 'No drawings.' })
      } else {
        const music = { ...filter, platform: MUSIC_PLATFORM, ...(id !== undefined && { task_id: id }) }
        const tasks = await toolkit.tasks.pageOfTasks(actor, music)
        await cli.print(tasks, { columns: TASK_COLUMNS, empty: 'No music.' })
      }
    })
}

const upperCase = (word: string) => word.toUpperCase()
