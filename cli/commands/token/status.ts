import { Command } from 'commander'
import type { Token } from '../../../core/tokens/schema.ts'
import { positiveInts } from '../../arguments.ts'
import type { Cli } from '../../cli.ts'
import { actOnEach, type SeveralFlags, withSeveralFlags } from '../../several.ts'

/** `enable` and `disable`: the same act with another status. */
export function tokenStatus(
  cli: Cli,
  {
    verb,
    description,
    example,
    done,
  }: { verb: 'enable' | 'disable'; description: string; example: string; done: (token: Token) => string },
): Command {
  const command = new Command(verb).description(description).argument('<id...>', 'numbers of the tokens', positiveInts)
  return withSeveralFlags(command)
    .addHelpText('after', `\nExamples:\n  ${example}`)
    .action(async (ids: number[], flags: SeveralFlags) => {
      const [{ toolkit, actor }, { TOKEN_STATUS }, { checkUsable }, { shownToken }] = await Promise.all([
        cli.open(),
        import('../../../core/tokens/token.ts'),
        import('../../../core/tokens/checks.ts'),
        import('../../columns/token.ts'),
      ])
      const status = TOKEN_STATUS[verb === 'enable' ? 'enabled' : 'disabled']
      await actOnEach(cli, ids, {
        ...flags,
        async check(id) {
          const token = await toolkit.tokens.get(actor, id)
          if (verb === 'enable') checkUsable(token, Date.now() / 1000)
          return token
        },
        act: async ({ id }) => shownToken(await toolkit.tokens.setStatus(actor, id, status)),
        done,
      })
    })
}
