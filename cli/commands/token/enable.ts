import { Command } from 'commander'
import { positiveInt } from '../../arguments.ts'
import type { Cli } from '../../cli.ts'

export function tokenEnable(cli: Cli): Command {
  return new Command('enable')
    .description('Let an API key be used again')
    .argument('<id>', 'number of the token', positiveInt)
    .addHelpText('after', '\nExample:\n  tollgate token enable 1')
    .action(async (id: number) => {
      const [{ toolkit, actor }, { TOKEN_STATUS }, { shownToken }] = await Promise.all([
        cli.open(),
        import('../../../core/tokens/token.ts'),
        import('../../columns/token.ts'),
      ])
      const token = await toolkit.tokens.setStatus(actor, id, TOKEN_STATUS.enabled)
      cli.report(`Token ${token.id}, ${token.name}, is enabled.`, shownToken(token))
    })
}
