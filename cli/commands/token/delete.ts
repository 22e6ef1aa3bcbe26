import { Command } from 'commander'
import type { Cli } from '../../cli.ts'
import { positiveInts } from '../../input/arguments.ts'
import { type BulkFlags, runBulk, withBulkFlags } from '../../run/bulk.ts'

interface Options extends BulkFlags {
  yes?: true
}

export function tokenDelete(cli: Cli): Command {
  const command = new Command('delete')
    .description('Delete API keys for good')
    .argument('<id...>', 'numbers of the tokens', positiveInts)
    .option('-y, --yes', 'do not ask')
  return withBulkFlags(command)
    .addHelpText('after', '\nExamples:\n  tollgate token delete 1 --yes')
    .action(async (ids: number[], { yes, ...flags }: Options) => {
      const { toolkit, actor } = await cli.open()
      await runBulk(cli, ids, {
        ...flags,
        check: async (id) => toolkit.tokens.get(actor, id),
        approve: (found) =>
          cli.confirm(cli.say`Delete ${namesOf(found)}? Programs that use the key will be refused.`, { yes }),
        async act(token) {
          await toolkit.tokens.delete(actor, token.id)
          return token
        },
        done: ({ id, name }) => cli.say`Deleted token ${id}, ${name}.`,
        json: (deleted) => ({ deleted: deleted.map(({ id }) => id) }),
      })
    })
}

function namesOf(tokens: readonly { name: string }[]): string {
  return tokens.map(({ name }) => name).join(', ')
}
