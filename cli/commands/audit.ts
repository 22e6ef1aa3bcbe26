import type { AuditEntry, AuditQuery } from '../../core/audit/audit.ts'
import type { Cli } from '../cli.ts'
import type { Command } from '../command.ts'
import { pageLimit, pastTime, positiveInt, wholeNumber } from '../input/arguments.ts'
import type { Column } from '../output/column.ts'
import { type ExportOptions, withExportOptions } from '../output/export-options.ts'
import { PAUSE_MS, pause, pollWithRetry, rowPrinter } from '../output/follow.ts'
import { withRetry } from '../run/retry.ts'
import { listVerb, noun, plainVerb } from '../run/verbs.ts'

type RowExportOptions = AuditFilterFlags & ExportOptions

const fieldsText = (fields: AuditEntry['after']) => (fields ? JSON.stringify(fields) : '-')

const AUDIT_COLUMNS: readonly Column<AuditEntry>[] = [
  { name: 'id', rank: 7, value: ({ id }) => String(id), align: 'right' },
  { name: 'time', rank: 1, value: ({ created_at }, { time }) => time(created_at) },
  { name: 'actor', rank: 2, value: ({ actor, actor_id }) => actor || String(actor_id) },
  { name: 'address', rank: 6, value: ({ address }) => address || '-' },
  { name: 'action', rank: 3, value: ({ action }) => action },
  { name: 'object', rank: 4, value: ({ object }) => object, cut: true },
  { name: 'before', rank: 8, value: ({ before }) => fieldsText(before), cut: true },
  { name: 'after', rank: 5, value: ({ after }) => fieldsText(after), cut: true },
]

const ROWS_AT_ONCE = 1000

/** CSV columns: the API fields of a row, with a readable time. */
const AUDIT_CSV: Readonly<Record<string, (row: AuditEntry) => string | number>> = {
  id: ({ id }) => id,
  time: ({ created_at }) => new Date(created_at * 1000).toISOString(),
  actor_id: ({ actor_id }) => actor_id,
  actor: ({ actor }) => actor,
  address: ({ address }) => address,
  action: ({ action }) => action,
  object: ({ object }) => object,
  before: ({ before }) => (before ? JSON.stringify(before) : ''),
  after: ({ after }) => (after ? JSON.stringify(after) : ''),
}

type TailOptions = AuditFilterFlags & { lines: number; follow?: true }

const LINES_MAX = 1000

export const audit = noun('audit', [
  listVerb({
    name: 'list',
    description: 'audit.listAdministratorActions',
    examples: [
      'tollgate audit list --since 7d --action channel',
      'tollgate audit list --object channel:7 --columns time,actor,before,after',
    ],
    syntax: (command) =>
      withAuditFilter(command)
        .option('--before <id>', 'audit.onlyRowsOlder', positiveInt)
        .option('--limit <n>', 'list.rowsPerPage', pageLimit, 20),
    columns: AUDIT_COLUMNS,
    rows: (
      { toolkit, actor },
      { before: beforeId, limit: pageSize, ...filter }: AuditFilterFlags & { before?: number; limit: number },
    ) => toolkit.audit.list(actor, { ...auditQueryOfFlags(filter), beforeId, pageSize }),
    empty: ({ t }) => t('audit.noAdministratorActions'),
  }),
  plainVerb({
    name: 'tail',
    description: 'audit.printTheLatestAdministratorActions',
    examples: ['tollgate audit tail -n 20', 'tollgate audit tail --actor ann --json'],
    syntax: (command) =>
      withAuditFilter(command)
        .note('audit.toFollowNewActions')
        .option('-f, --follow', 'log.keepPrintingNewRows')
        .option('-n, --lines <n>', 'log.numberOfPastRowsToPrint', wholeNumber({ min: 0, max: LINES_MAX }), 10),
    async run(cli, { lines, follow, ...options }: TailOptions) {
      const filter = auditQueryOfFlags(options)
      const { toolkit, actor } = await cli.open()
      const signal = follow ? cli.interruption() : undefined
      const print = await rowPrinter(cli, AUDIT_COLUMNS)
      // Even with --lines 0, one row is read, because following starts at the newest id.
      const newest = await toolkit.audit.list(actor, { ...filter, pageSize: Math.max(lines, 1) })
      let afterId = newest[0]?.id ?? 0
      print(newest.slice(0, lines).reverse())
      const pauseMs = PAUSE_MS[(await cli.target()).kind]
      while (signal && (await pause(pauseMs, signal)) && cli.stdout.writable) {
        const rows = await pollWithRetry(cli, signal, async () =>
          toolkit.audit.list(actor, { ...filter, afterId, pageSize: LINES_MAX }),
        )
        if (!rows) break
        afterId = rows.at(-1)?.id ?? afterId
        print(rows)
      }
    },
  }),
  plainVerb({
    name: 'export',
    description: 'audit.exportAllAdministratorActions',
    examples: [
      'tollgate audit export --since 90d --output audit.csv',
      'tollgate audit export --actor ann --format csv',
    ],
    syntax: (command) => withExportOptions(withAuditFilter(command)),
    async run(cli, { output, format, force, ...options }: RowExportOptions) {
      const filter = auditQueryOfFlags(options)
      const { exportRows } = await import('../output/export-rows.ts')
      await exportRows(cli, { output, format, force }, async () => ({
        batches: () => rowPages(cli, filter),
        csv: AUDIT_CSV,
      }))
    },
  }),
])

/** Yields all rows in pages. Each page starts at an id, so that new rows do not shift the pages. */
async function* rowPages(cli: Cli, filter: AuditQuery): AsyncGenerator<readonly AuditEntry[]> {
  const { toolkit, actor } = await cli.open()
  for (let beforeId: number | undefined; ; ) {
    const query = { ...filter, beforeId, pageSize: ROWS_AT_ONCE }
    const rows = await withRetry(cli, { repeatable: true }, () => toolkit.audit.list(actor, query))
    if (rows.length > 0) yield rows
    if (rows.length < ROWS_AT_ONCE) return
    beforeId = rows.at(-1)?.id
  }
}

interface AuditFilterFlags {
  actor?: string
  action?: string
  object?: string
  since?: number
  until?: number
}

function withAuditFilter(command: Command): Command {
  return command
    .option('--actor <name>', 'audit.filterByUserNameOrId')
    .option('--action <word>', 'audit.filterByAction')
    .option('--object <word>', 'audit.filterByObject')
    .option('--since <when>', 'log.onlyRowsSince', pastTime)
    .option('--until <when>', 'log.onlyRowsUntil', pastTime)
}

function auditQueryOfFlags({ actor, action, object, since: from, until: to }: AuditFilterFlags): AuditQuery {
  return { actor, action, object, from, to }
}
