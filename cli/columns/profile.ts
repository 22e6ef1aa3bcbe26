import { ROLE } from '../../core/actor.ts'
import type { Column } from '../column.ts'
import { LOCAL, type Profile, type Profiles } from '../profiles.ts'
import { wordOf } from '../words.ts'

/** A profile as it is shown: without its access token. */
export interface ShownProfile {
  name: string
  /** Empty: the database on this machine. */
  server: string
  user_id: number
  username: string
  role: number
  /** Whether commands are for it when nothing else is said. */
  current: boolean
}

const HERE: Profile = { server: '', username: '', userId: 0, role: ROLE.root, token: '' }

/** The database on this machine first. `current`: the one in force. */
export function shownProfiles({ profiles }: Profiles, current: string | undefined): ShownProfile[] {
  return Object.entries({ [LOCAL]: HERE, ...profiles }).map(([name, { server, userId, username, role }]) => ({
    name,
    server,
    user_id: userId,
    username,
    role,
    current: name === current,
  }))
}

export const PROFILE_COLUMNS: readonly Column<ShownProfile>[] = [
  { title: 'name', value: ({ name }) => name },
  {
    title: 'in use',
    value: ({ current }, { text }) => text(current ? 'yes' : 'no'),
    tone: ({ current }) => (current ? 'good' : 'faint'),
  },
  { title: 'gateway', value: ({ server }, { text }) => server || text('the database on this machine') },
  { title: 'username', value: ({ username }) => username || '-' },
  { title: 'role', value: ({ role }, { text }) => text(wordOf(ROLE, role)) },
]
