import { Command } from 'commander'
import type { Token } from '../../../core/tokens/schema.ts'
import type { Cli } from '../../cli.ts'
import { positiveInts } from '../../input/arguments.ts'
import { type BulkFlags, runBulk, withBulkFlags } from '../../run/bulk.ts'

/** Builds `enable` and `disable`, which differ in the status. */
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
  return withBulkFlags(command)
    .addHelpText('after', `\nExamples:\n  ${example}`)
    .action(async (ids: number[], flags: BulkFlags) => {
      const [{ toolkit, actor }, { TOKEN_STATUS }, { checkUsable }, { shownToken }] = await Promise.all([
        cli.open(),
        import('../../../core/tokens/token.ts'),
        import('../../../core/tokens/checks.ts'),
        import('../../columns/token.ts'),
      ])
      const status = TOKEN_STATUS[verb === 'enable' ? 'enabled' : 'disabled']
      await runBulk(cli, ids, {
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
