import { Command } from 'commander'
import type { Cli } from '../../cli.ts'
import { positiveInts } from '../../input/arguments.ts'
import { type BulkFlags, runBulk, withBulkFlags } from '../../run/bulk.ts'

export function fileDelete(cli: Cli): Command {
  const command = new Command('delete')
    .description('Delete files at their upstreams and here, for good')
    .argument('<id...>', 'numbers of the files in their list', positiveInts)
    .option('-y, --yes', 'do not ask')
  return withBulkFlags(command)
    .addHelpText('after', '\nExample:\n  tollgate file delete 1 --yes')
    .action(async (ids: number[], { yes, ...flags }: BulkFlags & { yes?: true }) => {
      const { toolkit, actor } = await cli.open()
      await runBulk(cli, ids, {
        ...flags,
        check: (id) => toolkit.batches.getFile(actor, id),
        approve: (found) =>
          cli.confirm(cli.say`Delete ${found.map(({ file_id }) => file_id).join(', ')}? This cannot be undone.`, {
            yes,
          }),
        act: ({ id }) => toolkit.batches.deleteFile(actor, id),
        done: ({ id, file_id }) => cli.say`Deleted file ${id}, ${file_id}.`,
        json: (deleted) => ({ deleted: deleted.map(({ id }) => id) }),
      })
    })
}
