import { Command, Option } from 'commander'
import { DELIVERY_STATES, type DeliveryState } from '../../../core/notices/notice.ts'
import type { Cli } from '../../cli.ts'
import { pageLimit, positiveInt } from '../../input/arguments.ts'
import { showAll, type ViewFlags, withViewFlags } from '../../output/listing.ts'

interface Flags extends ViewFlags {
  gateway?: true
  target?: number
  state?: DeliveryState
  before?: number
  limit: number
}

export function notifyDeliveries(cli: Cli): Command {
  return withViewFlags(
    new Command('deliveries')
      .description('List deliveries of notices, newest first')
      .option('--gateway', "the gateway's own instead of yours; for administrators")
      .option('--target <id>', 'only of this target', positiveInt)
      .addOption(new Option('--state <state>', 'only in this state').choices([...DELIVERY_STATES]))
      .option('--before <id>', 'only older rows than this one: the next page', positiveInt)
      .option('--limit <n>', 'rows of a page', pageLimit, 20),
  )
    .addHelpText('after', '\nExample:\n  tollgate notify deliveries --gateway --state failed')
    .action(async ({ gateway, target: target_id, state, before: before_id, limit: page_size, ...flags }: Flags) => {
      const [{ toolkit, actor }, { NOTICE_DELIVERY_COLUMNS }] = await Promise.all([
        cli.open(),
        import('../../columns/notice.ts'),
      ])
      const query = { gateway, target_id, state, before_id, page_size }
      await showAll(cli, flags, await toolkit.notices.deliveries(actor, query), {
        columns: NOTICE_DELIVERY_COLUMNS,
        empty: cli.say`No notice was delivered yet.`,
      })
    })
}
