import { ROLE, requireRole } from '../../core/actor.ts'
import type { LogStat } from '../../core/logs/logs.ts'
import { pastTime, positiveInt } from '../input/arguments.ts'
import { type LogFilterOptions, toLogFilter, withLogFilter } from '../input/log-filter.ts'
import type { Column } from '../output/column.ts'
import { listVerb, noun, showVerb, verb, YES, type YesFlag } from '../run/verbs.ts'
import { logArchive } from './log/archive.ts'
import { logExport } from './log/export.ts'
import { logList } from './log/list.ts'
import { logTail } from './log/tail.ts'
import { logTrace } from './log/trace.ts'

const STAT_COLUMNS: readonly Column<LogStat>[] = [
  { title: 'cost', value: (stat, { quota }) => quota(stat.quota) },
  { title: 'requests in the last minute', value: ({ rpm }) => String(rpm) },
  { title: 'tokens in the last minute', value: ({ tpm }) => String(tpm) },
]

const columns = async () => (await import('../columns/log.ts')).LOG_COLUMNS

export const log = noun('log', [
  logList,
  listVerb({
    name: 'search',
    description: 'Find the newest 100 rows whose text starts with a word, or that are of a type',
    example: 'tollgate log search 2 --columns time,model,cost',
    syntax: (command) =>
      command.argument('<keyword>', 'start of the text, or the number of a type; common users search by type alone'),
    columns,
    rows: ({ toolkit, actor }, keyword: string) => toolkit.logs.search(actor, keyword),
    empty: ({ say }) => say`No log rows.`,
  }),
  showVerb({
    name: 'get',
    description: 'Show one log row, with all that its price was computed from',
    example: 'tollgate log get 2',
    syntax: (command) => command.argument('<id>', 'number of the log row', positiveInt),
    columns,
    record: ({ toolkit, actor }, id: number) => toolkit.logs.get(actor, id),
  }),
  logTail,
  logTrace,
  showVerb({
    name: 'stat',
    description: 'Sum up what was relayed, and the present rate',
    example: 'tollgate log stat --since 24h',
    syntax: withLogFilter,
    columns: async () => STAT_COLUMNS,
    check: async (_cli, options: LogFilterOptions) => void (await toLogFilter(options)),
    record: async ({ toolkit, actor }, options: LogFilterOptions) =>
      toolkit.logs.stat(actor, await toLogFilter(options)),
  }),
  verb({
    name: 'receipt',
    description: 'Compute the price of a log row again; exit code 1 when it is not equal',
    example: 'tollgate log receipt 2',
    syntax: (command) => command.argument('<id>', 'number of the log row', positiveInt),
    async run({ cli, toolkit, actor }, id: number) {
      const { showReceipt } = await import('../receipt-view.ts')
      await showReceipt(cli, await toolkit.logs.receipt(actor, id))
    },
  }),
  logExport,
  logArchive,
  verb({
    name: 'clear',
    description: 'Delete old log rows for good; balances stay, since the ledger carries the sums on',
    example: 'tollgate log clear --before 90d --yes',
    syntax: (command) =>
      command
        .requiredOption(
          '--before <when>',
          'rows older than this: a duration such as 90d, or a date such as 2026-01-31',
          pastTime,
        )
        .option(...YES),
    async run({ cli, toolkit, actor }, { before, yes }: YesFlag & { before: number }) {
      requireRole(actor, ROLE.admin)
      // `before - 1`, because rows of the second `before` are not older.
      const { total } = await toolkit.logs.list(actor, { end_timestamp: before - 1, page: 1, pageSize: 1 })
      const date = new Date(before * 1000).toISOString()
      if (total === 0) return cli.report(cli.say`No log row is older than ${date}.`, { deleted: 0, before })
      await cli.confirm(cli.say`Delete ${total} log rows older than ${date} for good?`, { yes })
      const deleted = await toolkit.logs.clear(actor, before)
      cli.report(cli.say`Deleted ${deleted} log rows older than ${date}.`, { deleted, before })
    },
  }),
])
