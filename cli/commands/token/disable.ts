import { Command } from 'commander'
import { positiveInt } from '../../arguments.ts'
import type { Cli } from '../../cli.ts'

export function tokenDisable(cli: Cli): Command {
  return new Command('disable')
    .description('Refuse an API key until it is enabled again')
    .argument('<id>', 'number of the token', positiveInt)
    .addHelpText('after', '\nExample:\n  tollgate token disable 1')
    .action(async (id: number) => {
      const [{ toolkit, actor }, { TOKEN_STATUS }, { shownToken }] = await Promise.all([
        cli.open(),
        import('../../../core/tokens/token.ts'),
        import('../../columns/token.ts'),
      ])
      const token = await toolkit.tokens.setStatus(actor, id, TOKEN_STATUS.disabled)
      cli.report(`Token ${token.id}, ${token.name}, is disabled.`, shownToken(token))
    })
}
