import { Command } from 'commander'
import type { Cli } from '../../cli.ts'

export function profileGet(cli: Cli): Command {
  return new Command('get')
    .description('Show one profile, without its access token')
    .argument('[name]', 'name of the profile (default: the one in use)')
    .addHelpText('after', '\nExamples:\n  tollgate profile get local')
    .action(async (given: string | undefined) => {
      const [{ getProfile, LOCAL, readProfiles }, { PROFILE_COLUMNS, shownProfiles }] = await Promise.all([
        import('../../profiles.ts'),
        import('../../columns/profile.ts'),
      ])
      const known = await readProfiles({ env: cli.env, texts: cli })
      const name = given ?? known.current ?? LOCAL
      if (name !== LOCAL) getProfile(known, name, cli)
      const shown = shownProfiles(known).find((each) => each.name === name)
      if (!shown) throw new Error('what is known is shown')
      await cli.show(shown, { columns: PROFILE_COLUMNS })
    })
}
