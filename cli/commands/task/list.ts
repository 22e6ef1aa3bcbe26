import { Option } from 'commander'
import { MUSIC_PLATFORM } from '../../../core/tasks/music.ts'
import { DRAWING_COLUMNS, TASK_COLUMNS } from '../../columns/task.ts'
import { pastTime, positiveInt } from '../../input/arguments.ts'
import { type ListFlags, showList, withListFlags } from '../../output/listing.ts'
import { verb } from '../../run/verbs.ts'
import { userIdOf } from '../../users.ts'

export type TaskKind = 'drawing' | 'music'

/** Drawings and music are separate tables with their own ids. */
export const kindOption = () =>
  new Option('--kind <kind>', 'kind of task').choices(['drawing', 'music']).default('music')

interface Options extends ListFlags {
  kind: TaskKind
  id?: string
  action?: string
  status?: string
  user?: string
  channel?: number
  since?: number
  until?: number
}

const MS_PER_S = 1000

export const taskList = verb({
  name: 'list',
  description: 'List tasks, newest first',
  examples: ['tollgate task list --kind drawing --status FAILURE --since 7d', 'tollgate task list --user ann --all'],
  syntax: (command) =>
    withListFlags(
      command
        .addOption(kindOption())
        .option('--id <id>', 'filter by upstream task ID')
        .option('--action <word>', 'filter by action, such as MUSIC, LYRICS or IMAGINE', upperCase)
        .option('--status <word>', 'filter by state, such as SUCCESS, FAILURE or IN_PROGRESS', upperCase)
        .option('--user <name|id>', 'filter by user')
        .option('--channel <id>', 'filter by channel', positiveInt)
        .option(
          '--since <when>',
          'only tasks submitted since: a duration such as 1h or 7d, or a date such as 2026-01-31',
          pastTime,
        )
        .option('--until <when>', 'only tasks submitted until: the same formats', pastTime),
    ),
  async run({ cli, toolkit, actor }, { kind, id, action, status, user, channel, since, until, ...flags }: Options) {
    const unit = kind === 'drawing' ? MS_PER_S : 1
    const filter = {
      ...(action !== undefined && { action }),
      ...(status !== undefined && { status }),
      ...(user !== undefined && { user_id: await userIdOf(toolkit, actor, user) }),
      ...(channel !== undefined && { channel_id: channel }),
      ...(since !== undefined && { start_timestamp: since * unit }),
      ...(until !== undefined && { end_timestamp: until * unit }),
    }
    if (kind === 'drawing') {
      const query = { ...filter, ...(id !== undefined && { mj_id: id }) }
      await showList(cli, flags, async (paging) => toolkit.tasks.pageOfDrawings(actor, { ...query, ...paging }), {
        columns: DRAWING_COLUMNS,
        empty: cli.say`No drawings.`,
      })
    } else {
      const query = { ...filter, platform: MUSIC_PLATFORM, ...(id !== undefined && { task_id: id }) }
      await showList(cli, flags, async (paging) => toolkit.tasks.pageOfTasks(actor, { ...query, ...paging }), {
        columns: TASK_COLUMNS,
        empty: cli.say`No tasks.`,
      })
    }
  },
})

const upperCase = (word: string) => word.toUpperCase()
