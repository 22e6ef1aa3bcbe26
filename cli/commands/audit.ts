import { pageLimit, positiveInt } from '../input/arguments.ts'
import { listVerb, noun } from '../run/verbs.ts'
import { auditExport } from './audit/export.ts'
import { type AuditFilterFlags, toAuditQuery, withAuditFilter } from './audit/filter.ts'
import { auditTail } from './audit/tail.ts'

export const audit = noun('audit', [
  listVerb({
    name: 'list',
    description: 'List what administrators did, newest first',
    examples: [
      'tollgate audit list --since 7d --action channel',
      'tollgate audit list --object channel:7 --columns time,actor,before,after',
    ],
    syntax: (command) =>
      withAuditFilter(command)
        .option('--before <id>', 'only older rows than this one: the next page', positiveInt)
        .option('--limit <n>', 'rows of a page', pageLimit, 20),
    columns: async () => (await import('../columns/audit.ts')).AUDIT_COLUMNS,
    rows: (
      { toolkit, actor },
      { before: beforeId, limit: pageSize, ...filter }: AuditFilterFlags & { before?: number; limit: number },
    ) => toolkit.audit.list(actor, { ...toAuditQuery(filter), beforeId, pageSize }),
    empty: ({ say }) => say`No actions of administrators.`,
  }),
  auditTail,
  auditExport,
])
