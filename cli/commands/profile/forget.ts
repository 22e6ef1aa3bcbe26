import type { Cli } from '../../cli.ts'
import { usageError } from '../../errors.ts'
import { changeProfiles, getProfile, LOCAL } from '../../profiles.ts'

/** Removes profiles, all or none. If the one in use goes, commands are for the database on this machine. Throws PROFILE_NOT_FOUND. */
export async function forget(cli: Cli, names: readonly string[]): Promise<void> {
  if (names.includes(LOCAL)) throw usageError(cli.say`${LOCAL} is the database on this machine, and stays`)
  await changeProfiles({ env: cli.env, texts: cli }, (known) => {
    for (const name of names) getProfile(known, name, cli)
    const profiles = Object.fromEntries(Object.entries(known.profiles).filter(([name]) => !names.includes(name)))
    const { current } = known
    return { ...(current !== undefined && !names.includes(current) && { current }), profiles }
  })
}
