import type { AuditEntry, AuditQuery } from '../../../core/audit/audit.ts'
import type { Cli } from '../../cli.ts'
import { type ExportOptions, withExportOptions } from '../../output/export-options.ts'
import { plainVerb } from '../../run/verbs.ts'
import { type AuditFilterFlags, toAuditQuery, withAuditFilter } from './filter.ts'

type Options = AuditFilterFlags & ExportOptions

export const auditExport = plainVerb({
  name: 'export',
  description: 'Write all that administrators did, newest first; Ctrl-C leaves whole rows behind',
  examples: ['tollgate audit export --since 90d --output audit.csv', 'tollgate audit export --actor ann --format csv'],
  syntax: (command) => withExportOptions(withAuditFilter(command)),
  async run(cli, { output, format, force, ...options }: Options) {
    const filter = toAuditQuery(options)
    const { exportRows } = await import('../../output/export-rows.ts')
    await exportRows(cli, { output, format, force }, async () => ({
      batches: () => batches(cli, filter),
      csv: AUDIT_CSV,
    }))
  },
})

const ROWS_AT_ONCE = 1000

/** Pages by id, so that new rows do not shift the pages. */
async function* batches(cli: Cli, filter: AuditQuery): AsyncGenerator<readonly AuditEntry[]> {
  const [{ toolkit, actor }, { withRetry }] = await Promise.all([cli.open(), import('../../run/retry.ts')])
  for (let beforeId: number | undefined; ; ) {
    const query = { ...filter, beforeId, pageSize: ROWS_AT_ONCE }
    const rows = await withRetry(cli, { repeatable: true }, () => toolkit.audit.list(actor, query))
    if (rows.length > 0) yield rows
    if (rows.length < ROWS_AT_ONCE) return
    beforeId = rows.at(-1)?.id
  }
}

/** API fields of a row, plus a readable time. */
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
