import { ROLE } from '../../core/actor.ts'
import { labelOf } from '../input/enum-labels.ts'
import type { Column } from '../output/column.ts'
import { LOCAL, type Profile, type Profiles } from '../profiles.ts'

/** A profile for display, without its access token. */
export interface ShownProfile {
  name: string
  /** Empty: the database on this machine. */
  server: string
  user_id: number
  username: string
  role: number
  /** Whether commands use it by default. */
  current: boolean
}

const HERE: Profile = { server: '', username: '', userId: 0, role: ROLE.root, token: '' }

/** Lists the local database first. `current`: the active profile. */
export function profileRows({ profiles }: Profiles, current: string | undefined): ShownProfile[] {
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
  { title: 'role', value: ({ role }, { text }) => text(labelOf(ROLE, role)) },
]
