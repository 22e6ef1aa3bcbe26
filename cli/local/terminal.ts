import { userInfo } from 'node:os'
import { type Origin, TERMINAL } from '../../core/actor.ts'

/** Returns the origin of actions on the database itself: the operating-system user, not the gateway's user. */
export function terminalOrigin(): Origin {
  return { address: TERMINAL, osUser: userName() }
}

function userName(): string {
  try {
    return userInfo().username
  } catch {
    // In containers the user may have no name.
    return `uid ${process.getuid?.() ?? 'unknown'}`
  }
}
