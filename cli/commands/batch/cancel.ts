import { Command } from 'commander'
import type { Cli } from '../../cli.ts'
import { positiveInts } from '../../input/arguments.ts'
import { type BulkFlags, runBulk, withBulkFlags } from '../../run/bulk.ts'

export function batchCancel(cli: Cli): Command {
  const command = new Command('cancel')
    .description('Cancel running batches at their upstreams; requests that were served are paid for')
    .argument('<id...>', 'numbers of the batches in their list', positiveInts)
    .option('-y, --yes', 'do not ask')
  return withBulkFlags(command)
    .addHelpText('after', '\nExample:\n  tollgate batch cancel 1 --yes')
    .action(async (ids: number[], { yes, ...flags }: BulkFlags & { yes?: true }) => {
      const { toolkit, actor } = await cli.open()
      await runBulk(cli, ids, {
        ...flags,
        check: (id) => toolkit.batches.getBatch(actor, id),
        approve: (found) =>
          cli.confirm(cli.say`Cancel ${found.map(({ batch_id }) => batch_id).join(', ')}? This cannot be undone.`, {
            yes,
          }),
        act: ({ id }) => toolkit.batches.cancelBatch(actor, id),
        done: ({ id, batch_id, status }) => cli.say`Batch ${id}, ${batch_id}, is ${status}.`,
      })
    })
}
