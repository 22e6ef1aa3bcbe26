import { Command } from 'commander'
import { positiveInts } from '../../arguments.ts'
import type { Cli } from '../../cli.ts'

export function tokenDelete(cli: Cli): Command {
  return new Command('delete')
    .description('Delete API keys for good')
    .argument('<id...>', 'numbers of the tokens', positiveInts)
    .option('-y, --yes', 'do not ask')
    .addHelpText('after', '\nExample:\n  tollgate token delete 1 --yes')
    .action(async (ids: number[], { yes }: { yes?: true }) => {
      const { toolkit, actor } = await cli.open()
      // All are looked up first: one that does not exist keeps the others.
      const names: string[] = []
      for (const id of ids) names.push((await toolkit.tokens.get(actor, id)).name)
      await cli.confirm(`Delete ${names.join(', ')}? Programs that use the key will be refused.`, { yes })
      for (const id of ids) await toolkit.tokens.delete(actor, id)
      cli.report(`Deleted ${names.join(', ')}.`, { deleted: ids })
    })
}
