import { defined } from '../../core/records.ts'
import { MUSIC_PLATFORM } from '../../core/tasks/music.ts'
import { DRAWING_COLUMNS, TASK_COLUMNS } from '../columns/task.ts'
import type { Command } from '../command.ts'
import { pastTime, positiveInt } from '../input/arguments.ts'
import { type ListFlags, showList, withListFlags } from '../output/listing.ts'
import { noun, verb } from '../run/verbs.ts'
import { userIdOf } from '../users.ts'

type TaskKindFlag = 'drawing' | 'music'

/** Adds --kind, because drawings and music are in separate tables, each with its own ids. */
const withKind = (command: Command): Command =>
  command.choice('--kind <kind>', 'task.kindOfTask', ['drawing', 'music'], 'music')

interface TaskListOptions extends ListFlags {
  kind: TaskKindFlag
  id?: string
  action?: string
  status?: string
  user?: string
  channel?: number
  since?: number
  until?: number
}

const MS_PER_S = 1000

const taskList = verb({
  name: 'list',
  description: 'task.listTasks',
  examples: ['tollgate task list --kind drawing --status FAILURE --since 7d', 'tollgate task list --user ann --all'],
  syntax: (command) =>
    withListFlags(
      withKind(command)
        .option('--id <id>', 'task.filterByUpstreamTaskId')
        .option('--action <word>', 'task.filterByAction', upperCase)
        .option('--status <word>', 'task.filterByState', upperCase)
        .option('--user <name|id>', 'task.filterByUser')
        .option('--channel <id>', 'task.filterByChannel', positiveInt)
        .option('--since <when>', 'log.onlyRowsSince', pastTime)
        .option('--until <when>', 'log.onlyRowsUntil', pastTime),
      [...DRAWING_COLUMNS, ...TASK_COLUMNS],
    ),
  async run(
    { cli, toolkit, actor },
    { kind, id, action, status, user, channel, since, until, ...flags }: TaskListOptions,
  ) {
    const unit = kind === 'drawing' ? MS_PER_S : 1
    const filter = {
      ...defined({ action, status }),
      ...(user !== undefined && { user_id: await userIdOf(toolkit, actor, user) }),
      ...(channel !== undefined && { channel_id: channel }),
      ...(since !== undefined && { start_timestamp: since * unit }),
      ...(until !== undefined && { end_timestamp: until * unit }),
    }
    if (kind === 'drawing') {
      const query = { ...filter, ...(id !== undefined && { mj_id: id }) }
      await showList(cli, flags, async (paging) => toolkit.tasks.pageOfDrawings(actor, { ...query, ...paging }), {
        columns: DRAWING_COLUMNS,
        empty: cli.t('task.noDrawings'),
      })
    } else {
      const query = { ...filter, platform: MUSIC_PLATFORM, ...(id !== undefined && { task_id: id }) }
      await showList(cli, flags, async (paging) => toolkit.tasks.pageOfTasks(actor, { ...query, ...paging }), {
        columns: TASK_COLUMNS,
        empty: cli.t('task.noTasks'),
      })
    }
  },
})

const upperCase = (word: string) => word.toUpperCase()

export const task = noun('task', [
  taskList,
  verb({
    name: 'get',
    description: 'task.showOneTask',
    examples: ['tollgate task get 1 --kind drawing'],
    syntax: (command) => withKind(command.argument('<id>', 'task.taskId', positiveInt)),
    async run({ cli, toolkit, actor }, id: number, { kind }: { kind: TaskKindFlag }) {
      if (kind === 'drawing') await cli.show(await toolkit.tasks.getDrawing(actor, id), { columns: DRAWING_COLUMNS })
      else await cli.show(await toolkit.tasks.getTask(actor, id), { columns: TASK_COLUMNS })
    },
  }),
])
