import type { Cli } from '../cli.ts'
import { columnsOfGroupings, usageColumns } from '../columns/usage.ts'
import { Command } from '../command.ts'
import { pastTime } from '../input/arguments.ts'
import { rejectUselessColumns, showAll, type ViewFlags, withViewFlags } from '../output/listing.ts'
import { addUp, readCounts, STAT_GROUPINGS, type StatGrouping } from './stat/usage.ts'

interface Options extends ViewFlags {
  by: StatGrouping
  since?: number
  until?: number
  user?: string
}

/** Default length of the time range, in seconds. */
const DEFAULT_RANGE_S = 7 * 86_400

export function stat(cli: Cli): Command {
  const command = new Command('stat', cli)
    .choice('--by <what>', 'watching.whatToGroupBy', STAT_GROUPINGS, 'model')
    .option('--since <when>', 'watching.startADuration', pastTime)
    .option('--until <when>', 'watching.endTheSameFormatsDefault', pastTime)
    .option('--user <name>', 'watching.usageOfThisUser')
  return withViewFlags(command, columnsOfGroupings(STAT_GROUPINGS))
    .note('watching.usageIsStoredPerHour')
    .example('tollgate stat --since 24h', 'tollgate stat --by day --since 30d --user ann')
    .action(async ({ by, since, until, user, ...view }: Options) => {
      rejectUselessColumns(cli, view)
      const now = Math.floor(Date.now() / 1000)
      const { toolkit, actor } = await cli.open()
      const range = { start: since ?? now - DEFAULT_RANGE_S, end: until ?? now }
      const counts = await readCounts(toolkit, actor, { ...range, ...(user !== undefined && { username: user }) })
      const { rows, total } = addUp(counts, by)
      if (cli.json && view.output === undefined) return cli.writeJson({ by, ...range, total, rows })
      const format = await cli.format()
      await showAll(cli, view, rows, { columns: usageColumns(by, total, format), empty: cli.t('watching.noUsage') })
      if (rows.length > 0 && view.output === undefined) {
        cli.note(
          cli.t('watching.totalRequestsTokens', {
            count: total.count,
            tokenUsed: total.token_used,
            quota: format.quota(total.quota),
          }),
        )
      }
    })
}
