import { Command } from 'commander'
import type { Cli } from '../../cli.ts'
import { pageLimit, positiveInt } from '../../input/arguments.ts'
import { showAll, type ViewFlags, withViewFlags } from '../../output/listing.ts'
import { type AuditFilterFlags, toAuditQuery, withAuditFilter } from './filter.ts'

type Options = AuditFilterFlags & ViewFlags & { before?: number; limit: number }

export function auditList(cli: Cli): Command {
  const command = withAuditFilter(new Command('list'))
    .description('List what administrators did, newest first')
    .option('--before <id>', 'only older rows than this one: the next page', positiveInt)
    .option('--limit <n>', 'rows of a page', pageLimit, 20)
  return withViewFlags(command)
    .addHelpText(
      'after',
      '\nExamples:\n  tollgate audit list --since 7d --action channel\n  tollgate audit list --object channel:7 --columns time,actor,before,after',
    )
    .action(async ({ before: beforeId, limit: pageSize, columns, sort, output, ...filter }: Options) => {
      const [{ toolkit, actor }, { AUDIT_COLUMNS }] = await Promise.all([cli.open(), import('../../columns/audit.ts')])
      const rows = await toolkit.audit.list(actor, { ...toAuditQuery(filter), beforeId, pageSize })
      const view = {
        ...(columns !== undefined && { columns }),
        ...(sort !== undefined && { sort }),
        ...(output !== undefined && { output }),
      }
      await showAll(cli, view, rows, { columns: AUDIT_COLUMNS, empty: cli.say`No actions of administrators.` })
    })
}
