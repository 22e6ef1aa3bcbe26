import { Command } from 'commander'
import type { Cli } from '../../cli.ts'
import { type ListFlags, showList, withListFlags } from '../../output/listing.ts'

export function teamList(cli: Cli): Command {
  const command = new Command('list')
    .description('List your teams, newest first; for administrators all teams')
    .option('--search <text>', 'only teams whose name contains this, or of this number')
    .option('--own', 'for administrators: only teams that you are a member of')
  return withListFlags(command)
    .addHelpText('after', '\nExample:\n  tollgate team list')
    .action(async ({ search, own, ...flags }: ListFlags & { search?: string; own?: true }) => {
      const [{ toolkit, actor }, { TEAM_COLUMNS }] = await Promise.all([cli.open(), import('../../columns/team.ts')])
      const query = { ...(search !== undefined && { keyword: search }), ...(own && { own }) }
      await showList(cli, flags, async (paging) => toolkit.teams.list(actor, { ...query, ...paging }), {
        columns: TEAM_COLUMNS,
        empty: cli.say`No teams. Create one: tollgate team create <name>`,
      })
    })
}
