import { Command } from 'commander'
import type { Cli } from '../../cli.ts'
import { type ListFlags, showList, withListFlags } from '../../output/listing.ts'

export function teamKeys(cli: Cli): Command {
  const command = new Command('keys')
    .description('List keys of a team: your own, for owner and admins all')
    .argument('<name|id>', 'name or number of the team')
    .option('--search <text>', 'only names that contain this')
  return withListFlags(command)
    .addHelpText(
      'after',
      '\nExample:\n  tollgate team keys lab\n\nCreate one: tollgate token create <name> --team <name|id>',
    )
    .action(async (nameOrId: string, { search, ...flags }: ListFlags & { search?: string }) => {
      const [{ toolkit, actor }, { teamOf, memberNames }, { TOKEN_COLUMNS, shownToken }] = await Promise.all([
        cli.open(),
        import('../../teams.ts'),
        import('../../columns/token.ts'),
      ])
      const { id } = await teamOf(toolkit, actor, nameOrId)
      const keyword = search === undefined ? {} : { keyword: search }
      const names = await memberNames(toolkit, actor, id)
      await showList(
        cli,
        flags,
        async (paging) => {
          const keys = await toolkit.teams.keys.list(actor, id, { ...keyword, ...paging })
          const items = keys.items.map((key) => ({ ...shownToken(key), username: names.get(key.member_id ?? 0) ?? '' }))
          return { ...keys, items }
        },
        { columns: TOKEN_COLUMNS, empty: cli.say`No keys. Create one: tollgate token create <name> --team <name|id>` },
      )
    })
}
