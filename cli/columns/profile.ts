import { ROLE } from '../../core/actor.ts'
import { labelOf } from '../input/enum-labels.ts'
import type { Column } from '../output/column.ts'
import { LOCAL, type Profiles, type ServerProfile } from '../profiles.ts'

/** A profile for display, without its access token. */
interface ShownProfile {
  name: string
  /** URL of the server; empty for the database on this machine. */
  server: string
  user_id: number
  username: string
  role: number
  /** Whether commands use this profile by default. */
  current: boolean
}

const LOCAL_PROFILE: ServerProfile = { server: '', username: '', userId: 0, role: ROLE.root, token: '' }

/** Returns the profiles for display, the local database first. `current`: name of the active profile. */
export function profileRows({ profiles }: Profiles, current: string | undefined): ShownProfile[] {
  return Object.entries({ [LOCAL]: LOCAL_PROFILE, ...profiles }).map(([name, { server, userId, username, role }]) => ({
    name,
    server,
    user_id: userId,
    username,
    role,
    current: name === current,
  }))
}

export const PROFILE_COLUMNS: readonly Column<ShownProfile>[] = [
  { name: 'name', value: ({ name }) => name },
  {
    name: 'in-use',
    value: ({ current }, { t }) => t(current ? 'label.yes' : 'label.no'),
    tone: ({ current }) => (current ? 'good' : 'faint'),
  },
  { name: 'gateway', value: ({ server }, { t }) => server || t('server.theDatabaseOnThisMachine') },
  { name: 'username', value: ({ username }) => username || '-' },
  { name: 'role', value: ({ role }, { label }) => label(labelOf(ROLE, role)) },
]
