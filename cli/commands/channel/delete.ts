import { Command } from 'commander'
import { positiveInts } from '../../arguments.ts'
import type { Cli } from '../../cli.ts'

export function channelDelete(cli: Cli): Command {
  return new Command('delete')
    .description('Delete channels for good; log rows keep their numbers')
    .argument('<id...>', 'numbers of the channels', positiveInts)
    .option('-y, --yes', 'do not ask')
    .addHelpText('after', '\nExample:\n  tollgate channel delete 1 --yes')
    .action(async (ids: number[], { yes }: { yes?: true }) => {
      const { toolkit, actor } = await cli.open()
      // All are looked up first: one that does not exist keeps the others.
      const names: string[] = []
      for (const id of ids) names.push((await toolkit.channels.get(actor, id)).name)
      await cli.confirm(`Delete ${names.join(', ')}?`, { yes })
      for (const id of ids) await toolkit.channels.delete(actor, id)
      cli.report(`Deleted ${names.join(', ')}.`, { deleted: ids })
    })
}
