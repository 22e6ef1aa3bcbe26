import { Command } from 'commander'
import type { Cli } from '../../cli.ts'
import { showAll, type ViewFlags, withViewFlags } from '../../output/listing.ts'

export function profileList(cli: Cli): Command {
  return withViewFlags(new Command('list').description('List the servers that you are signed in to'))
    .addHelpText('after', '\nExamples:\n  tollgate profile list')
    .action(async (flags: ViewFlags) => {
      const [{ readProfiles }, { activeProfile }, { PROFILE_COLUMNS, shownProfiles }] = await Promise.all([
        import('../../profiles.ts'),
        import('./active.ts'),
        import('../../columns/profile.ts'),
      ])
      const known = await readProfiles({ env: cli.env, texts: cli })
      const { profile, elsewhere } = await activeProfile(cli)
      await showAll(cli, flags, shownProfiles(known, profile), { columns: PROFILE_COLUMNS, empty: '' })
      if (elsewhere !== undefined) cli.note(elsewhere)
    })
}
