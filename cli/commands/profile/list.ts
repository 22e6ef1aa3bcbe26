import { Command } from 'commander'
import type { Cli } from '../../cli.ts'
import { showAll, type ViewFlags, withViewFlags } from '../../listing.ts'

export function profileList(cli: Cli): Command {
  return withViewFlags(new Command('list').description('List the servers that you are signed in to'))
    .addHelpText('after', '\nExamples:\n  tollgate profile list')
    .action(async (flags: ViewFlags) => {
      const [{ readProfiles }, { PROFILE_COLUMNS, shownProfiles }] = await Promise.all([
        import('../../profiles.ts'),
        import('../../columns/profile.ts'),
      ])
      const rows = shownProfiles(await readProfiles({ env: cli.env, texts: cli }))
      await showAll(cli, flags, rows, { columns: PROFILE_COLUMNS, empty: '' })
    })
}
