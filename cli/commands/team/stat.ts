import type { Dashboard } from '../../../core/logs/usage/schema.ts'
import { defined } from '../../../core/records.ts'
import type { Cli } from '../../cli.ts'
import { columnsOfGroupings, usageColumns } from '../../columns/usage.ts'
import { Command } from '../../command.ts'
import { pastTime } from '../../input/arguments.ts'
import type { Column } from '../../output/column.ts'
import { rejectUselessColumns, showAll, type ViewFlags, withViewFlags } from '../../output/listing.ts'
import { memberOf, teamOf } from '../../teams.ts'
import { addUp, type StatGrouping, type StatRow } from '../stat/usage.ts'

/** Usage of a model, member, key or period. A period has no numbers of successful and failed requests. */
interface TeamUsage extends StatRow {
  ok?: number
  failed?: number
}

/** Groupings other than periods, with the API's name of each. */
const NAMES = { model: 'model', member: 'member', key: 'token' } as const
type Named = keyof typeof NAMES
const isNamed = (by: string): by is Named => by in NAMES

interface Options extends ViewFlags {
  by: Named | Exclude<StatGrouping, 'model'>
  since?: number
  until?: number
  member?: string
}

const GROUPINGS = ['model', 'member', 'key', 'hour', 'day', 'week']
/** Default length of the time range, in hours. */
const DEFAULT_HOURS = 7 * 24
const SUCCESS: Column<TeamUsage> = {
  name: 'success',
  value: ({ ok = 0, failed = 0 }) => (ok + failed > 0 ? `${Math.floor((ok / (ok + failed)) * 1000) / 10}%` : '-'),
  sort: ({ ok = 0, failed = 0 }) => ok / Math.max(1, ok + failed),
  align: 'right',
}

export function teamStat(cli: Cli): Command {
  const command = new Command('stat', cli)
    .description('team.showTheUsageOfATeam')
    .argument('<name|id>', 'team.teamNameOrId')
    .choice('--by <what>', 'watching.whatToGroupBy', GROUPINGS, 'model')
    .option('--since <when>', 'watching.startADuration', pastTime)
    .option('--until <when>', 'watching.endTheSameFormatsDefault', pastTime)
    .option('--member <name|id>', 'team.filterByMember')
  return withViewFlags(command, [...columnsOfGroupings(GROUPINGS), SUCCESS])
    .note('team.theRangeCoversWholeHours')
    .example('tollgate team stat lab --by member --since 30d', 'tollgate team stat lab --by day --since 24h')
    .action(async (nameOrId: string, { by, since, until, member, ...view }: Options) => {
      rejectUselessColumns(cli, view)
      const { toolkit, actor } = await cli.open()
      const team = await teamOf(toolkit, actor, nameOrId)
      const memberId = member === undefined ? undefined : (await memberOf(toolkit, actor, { team, member })).user_id
      const { data } = await toolkit.teams.usage.dashboard(actor, team.id, {
        by: isNamed(by) ? NAMES[by] : 'model',
        metric: 'quota',
        lastHours: DEFAULT_HOURS,
        ...defined({ start: since, end: until, memberId }),
      })
      if (!data) throw new Error('The gateway returned no statistics')
      const { count, tokens, quota } = data.totals
      const total = { count, token_used: tokens, quota }
      const rows = rowsOf(data, by, cli.t('team.others'))
      if (cli.json && view.output === undefined) {
        return cli.writeJson({ by, start: data.start, end: data.end, sampled: data.sampled, total, rows })
      }
      const format = await cli.format()
      const columns = [...usageColumns(by, total, format), ...(isNamed(by) ? [SUCCESS] : [])]
      await showAll(cli, view, rows, { columns, empty: cli.t('watching.noUsage') })
      if (rows.length > 0 && view.output === undefined) {
        cli.note(cli.t('watching.totalRequestsTokens', { count, tokenUsed: tokens, quota: format.quota(quota) }))
        if (data.sampled) cli.note(cli.t('team.membersKeysAndSuccess'))
      }
    })
}

function rowsOf({ groups, series }: Dashboard, by: Options['by'], others: string): TeamUsage[] {
  if (isNamed(by)) {
    return groups.map(({ name, label, count, tokens, quota, ok, failed }) => {
      return { name: name === '' ? others : label, count, token_used: tokens, quota, ok, failed }
    })
  }
  const counts = series.map(({ hour, count, quota, tokens }) => {
    return { model_name: '', created_at: hour, count, quota, token_used: tokens }
  })
  return addUp(counts, by).rows
}
