import { Command } from 'commander'
import { pageLimit, positiveInt } from '../../arguments.ts'
import type { Cli } from '../../cli.ts'
import { usageError } from '../../errors.ts'

interface Options {
  search?: string
  user?: string
  all?: true
  page: number
  limit: number
}

const EVERYBODY = 0

export function tokenList(cli: Cli): Command {
  return new Command('list')
    .description('List API keys, newest first')
    .option('--search <text>', 'only names that contain this')
    .option('--user <name|id>', "another user's instead of root's")
    .option('--all', "everybody's")
    .option('--page <n>', 'page to show', positiveInt, 1)
    .option('--limit <n>', 'rows of a page', pageLimit, 20)
    .addHelpText('after', '\nExample:\n  tollgate token list --search app')
    .action(async ({ search, user, all, page, limit }: Options) => {
      if (all && user !== undefined) throw usageError('give either --user or --all, not both')
      const [{ toolkit, actor }, { userIdOf }, { TOKEN_COLUMNS, shownToken }] = await Promise.all([
        cli.open(),
        import('../../users.ts'),
        import('../../columns/token.ts'),
      ])
      const ownerId = all ? EVERYBODY : user === undefined ? actor.id : await userIdOf(toolkit, actor, user)
      const tokens = await toolkit.tokens.list(actor, {
        page,
        pageSize: limit,
        ownerId,
        ...(search !== undefined && { keyword: search }),
      })
      await cli.print(
        { ...tokens, items: tokens.items.map((token) => shownToken(token)) },
        { columns: TOKEN_COLUMNS, empty: 'No tokens. Create one with: tollgate token create <name>' },
      )
    })
}
