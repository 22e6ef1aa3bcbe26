import { Command } from 'commander'
import { ROLE, requireRole } from '../../../core/actor.ts'
import type { Cli } from '../../cli.ts'
import { pastTime } from '../../input/arguments.ts'

export function logClear(cli: Cli): Command {
  return new Command('clear')
    .description('Delete old log rows for good; balances stay, since the ledger carries the sums on')
    .requiredOption(
      '--before <when>',
      'rows older than this: a duration such as 90d, or a date such as 2026-01-31',
      pastTime,
    )
    .option('-y, --yes', 'do not ask')
    .addHelpText('after', '\nExample:\n  tollgate log clear --before 90d --yes')
    .action(async ({ before, yes }: { before: number; yes?: true }) => {
      const { toolkit, actor } = await cli.open()
      requireRole(actor, ROLE.admin)
      // `before - 1`, because rows of the second `before` are not older.
      const { total } = await toolkit.logs.list(actor, { end_timestamp: before - 1, page: 1, pageSize: 1 })
      const date = new Date(before * 1000).toISOString()
      if (total === 0) return cli.report(cli.say`No log row is older than ${date}.`, { deleted: 0, before })
      await cli.confirm(cli.say`Delete ${total} log rows older than ${date} for good?`, { yes })
      const deleted = await toolkit.logs.clear(actor, before)
      cli.report(cli.say`Deleted ${deleted} log rows older than ${date}.`, { deleted, before })
    })
}
