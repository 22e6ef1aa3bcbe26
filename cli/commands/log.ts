import { ROLE, requireRole } from '../../core/actor.ts'
import type { LogStat } from '../../core/logs/logs.ts'
import { LOG_COLUMNS } from '../columns/log.ts'
import { positiveInt, rowAge, wholeNumber } from '../input/arguments.ts'
import { type LogFilterOptions, toLogFilter, withLogFilter } from '../input/log-filter.ts'
import type { Column } from '../output/column.ts'
import { type ExportOptions, withExportOptions } from '../output/export-options.ts'
import { PAUSE_MS, pause, pollWithRetry, rowPrinter } from '../output/follow.ts'
import { listVerb, noun, plainVerb, showVerb, verb, YES, type YesFlag } from '../run/verbs.ts'
import { logArchive } from './log/archive.ts'
import { LOG_CSV } from './log/export-columns.ts'
import { logList } from './log/list.ts'
import { logTrace } from './log/trace.ts'

type TailOptions = LogFilterOptions & { lines: number; follow?: true }

const LINES_MAX = 1000

type RowExportOptions = LogFilterOptions & ExportOptions

const STAT_COLUMNS: readonly Column<LogStat>[] = [
  { name: 'cost', value: (stat, { quota }) => quota(stat.quota) },
  { name: 'requests-in-the-last-minute', value: ({ rpm }) => String(rpm) },
  { name: 'tokens-in-the-last-minute', value: ({ tpm }) => String(tpm) },
]

export const log = noun('log', [
  logList,
  listVerb({
    name: 'search',
    description: 'log.findTheNewest100Rows',
    examples: ['tollgate log search 2 --columns time,model,cost'],
    syntax: (command) => command.argument('<keyword>', 'log.startOfTheText'),
    columns: LOG_COLUMNS,
    rows: ({ toolkit, actor }, keyword: string) => toolkit.logs.search(actor, keyword),
    empty: ({ t }) => t('ui.noLogRows'),
  }),
  showVerb({
    name: 'get',
    description: 'log.showOneLogRow',
    examples: ['tollgate log get 2'],
    syntax: (command) => command.argument('<id>', 'log.logRowId', positiveInt),
    columns: LOG_COLUMNS,
    record: ({ toolkit, actor }, id: number) => toolkit.logs.get(actor, id),
  }),
  plainVerb({
    name: 'tail',
    description: 'log.printTheNewestLogRows',
    examples: ['tollgate log tail -n 20', 'tollgate log tail --type consumption --json'],
    syntax: (command) =>
      withLogFilter(command)
        .note('log.toFollowNewRows')
        .option('-f, --follow', 'log.keepPrintingNewRows')
        .option('-n, --lines <n>', 'log.numberOfPastRowsToPrint', wholeNumber({ min: 0, max: LINES_MAX }), 10),
    async run(cli, { lines: last, follow, ...options }: TailOptions) {
      const filter = toLogFilter(options)
      const { toolkit, actor } = await cli.open()
      const signal = follow ? cli.interruption() : undefined
      const print = await rowPrinter(cli, LOG_COLUMNS)
      let { items, cursor, more } = await toolkit.logs.follow(actor, filter, { last }, signal)
      print(items)
      const pauseMs = PAUSE_MS[(await cli.target()).kind]
      while (signal && (await pause(more ? 0 : pauseMs, signal)) && cli.stdout.writable) {
        const next = await pollWithRetry(cli, signal, () => toolkit.logs.follow(actor, filter, { cursor }, signal))
        if (!next) break
        ;({ items, cursor, more } = next)
        print(items)
      }
    },
  }),
  logTrace,
  showVerb({
    name: 'stat',
    description: 'log.sumUpUsage',
    examples: ['tollgate log stat --since 24h'],
    syntax: withLogFilter,
    columns: STAT_COLUMNS,
    check: (_cli, options: LogFilterOptions) => void toLogFilter(options),
    record: ({ toolkit, actor }, options: LogFilterOptions) => toolkit.logs.stat(actor, toLogFilter(options)),
  }),
  verb({
    name: 'receipt',
    description: 'log.recomputeThePriceOfALog',
    examples: ['tollgate log receipt 2'],
    syntax: (command) => command.argument('<id>', 'log.logRowId', positiveInt),
    async run({ cli, toolkit, actor }, id: number) {
      const { showReceipt } = await import('../receipt-view.ts')
      await showReceipt(cli, await toolkit.logs.receipt(actor, id))
    },
  }),
  plainVerb({
    name: 'export',
    description: 'log.exportAllLogRows',
    examples: ['tollgate log export --since 30d --output logs.csv', 'tollgate log export --user ann --format csv'],
    syntax: (command) => withExportOptions(withLogFilter(command)),
    async run(cli, { output, format, force, ...options }: RowExportOptions) {
      const filter = toLogFilter(options)
      const { exportRows } = await import('../output/export-rows.ts')
      await exportRows(cli, { output, format, force }, async () => {
        const { toolkit, actor } = await cli.open()
        const { total } = await toolkit.logs.list(actor, { ...filter, page: 1, pageSize: 1 })
        return { total, batches: (signal) => toolkit.logs.scan(actor, filter, signal), csv: LOG_CSV }
      })
    },
  }),
  logArchive,
  verb({
    name: 'clear',
    description: 'log.deleteOldLogRowsPermanently',
    examples: ['tollgate log clear --before 90d --yes'],
    syntax: (command) => command.requiredOption('--before <when>', 'log.onlyRowsOlder', rowAge).option(...YES),
    async run({ cli, toolkit, actor }, { before, yes }: YesFlag & { before: number }) {
      requireRole(actor, ROLE.admin)
      // `end_timestamp` is inclusive, but rows with exactly the time `before` are not deleted.
      const { total } = await toolkit.logs.list(actor, { end_timestamp: before - 1, page: 1, pageSize: 1 })
      const date = new Date(before * 1000).toISOString()
      if (total === 0) return cli.report(cli.t('log.noLogRowsOlderThan', { date }), { deleted: 0, before })
      await cli.confirm(cli.t('log.permanentlyDeleteLogRowsOlderThan', { count: total, date }), { yes })
      const deleted = await toolkit.logs.clear(actor, before)
      cli.report(cli.t('log.deletedLogRowsOlderThan', { count: deleted, date }), { deleted, before })
    },
  }),
])
