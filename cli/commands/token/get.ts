import { Command } from 'commander'
import type { Cli } from '../../cli.ts'
import { positiveInt } from '../../input/arguments.ts'

export function tokenGet(cli: Cli): Command {
  return new Command('get')
    .description('Show one API key and its limits')
    .argument('<id>', 'number of the token', positiveInt)
    .option('--show-key', 'print the key whole, not masked; root sees only the own ones')
    .addHelpText('after', '\nExamples:\n  tollgate token get 1')
    .action(async (id: number, { showKey }: { showKey?: true }) => {
      const [{ toolkit, actor }, { TOKEN_COLUMNS, shownToken }] = await Promise.all([
        cli.open(),
        import('../../columns/token.ts'),
      ])
      const token = await toolkit.tokens.get(actor, id)
      await cli.show(shownToken(token, { wholeKey: showKey === true }), { columns: TOKEN_COLUMNS })
    })
}
