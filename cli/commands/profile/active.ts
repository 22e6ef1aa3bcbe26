import type { Cli } from '../../cli.ts'
import { failureOf } from '../../errors.ts'
import { LOCAL } from '../../profiles.ts'

/** Returns the active profile, resolved from flags and environment; else `elsewhere`, a message about the actual target. */
export async function activeProfile(cli: Cli): Promise<{ profile?: string; elsewhere?: string }> {
  try {
    const backing = await cli.backing({ visitor: true })
    if (backing.kind === 'local') return { profile: LOCAL }
    const { profile, server } = backing
    if (profile !== undefined) return { profile }
    return { elsewhere: cli.say`Commands are for ${server.url}, by --server or TOLLGATE_SERVER, and for no profile.` }
  } catch (error) {
    // A broken target must not block the profile list, which may be needed to fix it.
    return { elsewhere: failureOf(error, cli.language, cli.translated).message }
  }
}
