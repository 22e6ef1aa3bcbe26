import type { Cli } from '../../cli.ts'
import { usageError } from '../../errors.ts'
import { changeProfiles, getProfile, LOCAL } from '../../profiles.ts'

/**
 * Removes all given profiles, or no profile if one of them does not exist. If the profile in use is removed, the local
 * database becomes the target. Throws PROFILE_NOT_FOUND.
 */
export async function forget(cli: Cli, names: readonly string[]): Promise<void> {
  if (names.includes(LOCAL)) throw usageError(cli.t('server.isTheDatabaseOnThisMachineAndCannot', { name: LOCAL }))
  await changeProfiles({ env: cli.env, texts: cli }, (stored) => {
    for (const name of names) getProfile(stored, name, cli)
    const profiles = Object.fromEntries(Object.entries(stored.profiles).filter(([name]) => !names.includes(name)))
    const { current } = stored
    return { ...(current !== undefined && !names.includes(current) && { current }), profiles }
  })
}
