import { Command } from 'commander'
import type { Cli } from '../../cli.ts'
import { usageError } from '../../errors.ts'
import { type ListFlags, showList, withListFlags } from '../../listing.ts'

interface Options extends ListFlags {
  search?: string
  user?: string
  everybody?: true
}

const EVERYBODY = 0

export function tokenList(cli: Cli): Command {
  const command = new Command('list')
    .description('List API keys, newest first')
    .option('--search <text>', 'only names that contain this')
    .option('--user <name|id>', "another user's instead of your own; for root")
    .option('--everybody', "all users'; for root")
  return withListFlags(command)
    .addHelpText('after', '\nExample:\n  tollgate token list --search app')
    .action(async ({ search, user, everybody, ...flags }: Options) => {
      if (everybody && user !== undefined) throw usageError(cli.say`give either --user or --everybody, not both`)
      const [{ toolkit, actor }, { userIdOf }, { TOKEN_COLUMNS, shownToken }] = await Promise.all([
        cli.open(),
        import('../../users.ts'),
        import('../../columns/token.ts'),
      ])
      const ownerId = everybody ? EVERYBODY : user === undefined ? actor.id : await userIdOf(toolkit, actor, user)
      const query = { ownerId, ...(search !== undefined && { keyword: search }) }
      await showList(
        cli,
        flags,
        async (paging) => {
          const tokens = await toolkit.tokens.list(actor, { ...query, ...paging })
          return { ...tokens, items: tokens.items.map((token) => shownToken(token)) }
        },
        { columns: TOKEN_COLUMNS, empty: cli.say`No tokens. Create one with: tollgate token create <name>` },
      )
    })
}
