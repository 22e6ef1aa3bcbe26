import { Command } from 'commander'
import type { Cli } from '../../cli.ts'
import { usageError } from '../../errors.ts'

export function profileGet(cli: Cli): Command {
  return new Command('get')
    .description('Show one profile, without its access token')
    .argument('[name]', 'name of the profile (default: the one in use)')
    .addHelpText('after', '\nExamples:\n  tollgate profile get local')
    .action(async (given: string | undefined) => {
      const [{ getProfile, LOCAL, readProfiles }, { activeProfile }, { PROFILE_COLUMNS, shownProfiles }] =
        await Promise.all([import('../../profiles.ts'), import('./active.ts'), import('../../columns/profile.ts')])
      const known = await readProfiles({ env: cli.env, texts: cli })
      const { profile, elsewhere } = await activeProfile(cli)
      if (given === undefined && elsewhere !== undefined) throw usageError(elsewhere)
      const name = given ?? profile ?? LOCAL
      if (name !== LOCAL) getProfile(known, name, cli)
      const shown = shownProfiles(known, profile).find((each) => each.name === name)
      if (!shown) throw new Error('what is known is shown')
      await cli.show(shown, { columns: PROFILE_COLUMNS })
    })
}
