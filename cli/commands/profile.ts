import type { Cli } from '../cli.ts'
import { PROFILE_COLUMNS, profileRows } from '../columns/profile.ts'
import { failureOf, usageError } from '../errors.ts'
import { appended } from '../input/arguments.ts'
import { showAll, type ViewFlags, withViewFlags } from '../output/listing.ts'
import { changeProfiles, getProfile, LOCAL, readProfiles, removeProfiles, warnEnvOverride } from '../profiles.ts'
import { noun, plainVerb } from '../run/verbs.ts'

export const profile = noun('profile', [
  plainVerb({
    name: 'list',
    description: 'server.listProfiles',
    examples: ['tollgate profile list'],
    syntax: (command) => withViewFlags(command, PROFILE_COLUMNS),
    async run(cli, flags: ViewFlags) {
      const stored = await readProfiles({ env: cli.env, texts: cli })
      const { profile, elsewhere } = await activeProfile(cli)
      await showAll(cli, flags, profileRows(stored, profile), { columns: PROFILE_COLUMNS, empty: '' })
      if (elsewhere !== undefined) cli.note(elsewhere)
    },
  }),
  plainVerb({
    name: 'get',
    description: 'server.showAProfile',
    examples: ['tollgate profile get local'],
    syntax: (command) => command.argument('[name]', 'server.profileNameDefaultTheOneInUse'),
    async run(cli, given: string | undefined) {
      const stored = await readProfiles({ env: cli.env, texts: cli })
      const { profile, elsewhere } = await activeProfile(cli)
      if (given === undefined && elsewhere !== undefined) throw usageError(elsewhere)
      const name = given ?? profile ?? LOCAL
      if (name !== LOCAL) getProfile(stored, name, cli)
      const row = profileRows(stored, profile).find((each) => each.name === name)
      if (!row) throw new Error('the list does not contain the profile')
      await cli.show(row, { columns: PROFILE_COLUMNS })
    },
  }),
  plainVerb({
    name: 'use',
    description: 'server.useAProfileForLaterCommands',
    examples: ['tollgate profile use local'],
    syntax: (command) => command.argument('<name>', 'server.profileName'),
    async run(cli, name: string) {
      await changeProfiles({ env: cli.env, texts: cli }, ({ current: _, ...stored }) => {
        if (name === LOCAL) return stored
        getProfile(stored, name, cli)
        return { ...stored, current: name }
      })
      cli.report(cli.t('server.commandsNowUse', { name }), { current: name })
      warnEnvOverride(cli)
    },
  }),
  plainVerb({
    name: 'remove',
    description: 'server.removeProfilesAndTheirAccessTokens',
    examples: ['tollgate profile remove work'],
    syntax: (command) => command.argument('<name...>', 'server.profileNames', appended),
    async run(cli, given: string[]) {
      const names = [...new Set(given)]
      await removeProfiles(cli, names)
      cli.report(cli.t('server.removedProfiles', { names: names.join(', ') }), { removed: names })
    },
  }),
])

/**
 * Returns the active profile, which flags and the environment can select. Without an active profile, returns the reason
 * in `elsewhere`: commands use a server without a profile, or the target cannot be resolved.
 */
async function activeProfile(cli: Cli): Promise<{ profile?: string; elsewhere?: string }> {
  try {
    const target = await cli.target({ anonymous: true })
    if (target.kind === 'local') return { profile: LOCAL }
    const { profile, server } = target
    if (profile !== undefined) return { profile }
    return { elsewhere: cli.t('server.commandsUse', { url: server.url }) }
  } catch (error) {
    // A broken target must not block the profile list, which may be needed to fix it.
    return { elsewhere: failureOf(error, cli).message }
  }
}
