import { Command } from 'commander'
import type { Cli } from '../../cli.ts'
import { showAll, type ViewFlags, withViewFlags } from '../../output/listing.ts'

export function notifyList(cli: Cli): Command {
  return withViewFlags(
    new Command('list')
      .description('List targets of notices')
      .option('--gateway', "the gateway's own instead of yours; for administrators"),
  )
    .addHelpText('after', '\nExamples:\n  tollgate notify list\n  tollgate notify list --gateway')
    .action(async ({ gateway, ...flags }: ViewFlags & { gateway?: true }) => {
      const [{ toolkit, actor }, { NOTICE_TARGET_COLUMNS }] = await Promise.all([
        cli.open(),
        import('../../columns/notice.ts'),
      ])
      await showAll(cli, flags, await toolkit.notices.list(actor, { gateway }), {
        columns: NOTICE_TARGET_COLUMNS,
        empty: cli.say`There are no targets. Add one: tollgate notify add webhook ops --url https://… --events payment.completed`,
      })
    })
}
