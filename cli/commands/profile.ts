import { usageError } from '../errors.ts'
import { appended } from '../input/arguments.ts'
import { showAll, type ViewFlags, withViewFlags } from '../output/listing.ts'
import { noun, plainVerb } from '../run/verbs.ts'
import { warnEnvOverride } from './profile/env-override.ts'

async function loadProfiles() {
  const [profiles, { activeProfile }, columns] = await Promise.all([
    import('../profiles.ts'),
    import('./profile/active.ts'),
    import('../columns/profile.ts'),
  ])
  return { ...profiles, ...columns, activeProfile }
}

export const profile = noun('profile', [
  plainVerb({
    name: 'list',
    description: 'List the servers that you are signed in to',
    examples: ['tollgate profile list'],
    syntax: withViewFlags,
    async run(cli, flags: ViewFlags) {
      const { readProfiles, activeProfile, PROFILE_COLUMNS, shownProfiles } = await loadProfiles()
      const known = await readProfiles({ env: cli.env, texts: cli })
      const { profile, elsewhere } = await activeProfile(cli)
      await showAll(cli, flags, shownProfiles(known, profile), { columns: PROFILE_COLUMNS, empty: '' })
      if (elsewhere !== undefined) cli.note(elsewhere)
    },
  }),
  plainVerb({
    name: 'get',
    description: 'Show one profile, without its access token',
    examples: ['tollgate profile get local'],
    syntax: (command) => command.argument('[name]', 'name of the profile (default: the one in use)'),
    async run(cli, given: string | undefined) {
      const { getProfile, LOCAL, readProfiles, activeProfile, PROFILE_COLUMNS, shownProfiles } = await loadProfiles()
      const known = await readProfiles({ env: cli.env, texts: cli })
      const { profile, elsewhere } = await activeProfile(cli)
      if (given === undefined && elsewhere !== undefined) throw usageError(elsewhere)
      const name = given ?? profile ?? LOCAL
      if (name !== LOCAL) getProfile(known, name, cli)
      const row = shownProfiles(known, profile).find((each) => each.name === name)
      if (!row) throw new Error('a known profile is listed')
      await cli.show(row, { columns: PROFILE_COLUMNS })
    },
  }),
  plainVerb({
    name: 'use',
    description: 'Make commands be for this server from now on',
    examples: ['tollgate profile use local'],
    syntax: (command) => command.argument('<name>', 'name of a profile; local is the database on this machine'),
    async run(cli, name: string) {
      const { changeProfiles, getProfile, LOCAL } = await import('../profiles.ts')
      await changeProfiles({ env: cli.env, texts: cli }, ({ current: _, ...known }) => {
        if (name === LOCAL) return known
        getProfile(known, name, cli)
        return { ...known, current: name }
      })
      cli.report(cli.say`Commands are for ${name} now.`, { current: name })
      warnEnvOverride(cli)
    },
  }),
  plainVerb({
    name: 'remove',
    description: 'Forget servers and their access tokens, as logout does',
    examples: ['tollgate profile remove work'],
    syntax: (command) => command.argument('<name...>', 'names of profiles', appended),
    async run(cli, given: string[]) {
      const names = [...new Set(given)]
      const { forget } = await import('./profile/forget.ts')
      await forget(cli, names)
      cli.report(cli.say`Forgot ${names.join(', ')}.`, { removed: names })
    },
  }),
])
