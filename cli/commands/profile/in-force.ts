import type { Cli } from '../../cli.ts'
import { failureOf } from '../../errors.ts'
import { LOCAL } from '../../profiles.ts'

/** The profile that commands are for, with all that flags and environment say; else `elsewhere`, for people: what is in its place. */
export async function profileInForce(cli: Cli): Promise<{ profile?: string; elsewhere?: string }> {
  try {
    const backing = await cli.backing({ visitor: true })
    if (backing.kind === 'local') return { profile: LOCAL }
    const { profile, server } = backing
    if (profile !== undefined) return { profile }
    return { elsewhere: cli.say`Commands are for ${server.url}, by --server or TOLLGATE_SERVER, and for no profile.` }
  } catch (error) {
    // What is wrong there does not keep the list from being read: it may be what mends it.
    return { elsewhere: failureOf(error, cli.language, cli.translated).message }
  }
}
