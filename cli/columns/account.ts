import type { User } from '../../core/accounts/user.ts'
import { ROLE } from '../../core/actor.ts'
import { labelOf } from '../input/enum-labels.ts'
import type { Column } from '../output/column.ts'

/** The signed-in user and the server. */
interface WhoAmI extends Pick<User, 'id' | 'username' | 'display_name' | 'role' | 'group' | 'quota' | 'used_quota'> {
  /** Address of the server; empty for the database on this machine. */
  server: string
  /** Name of the profile; empty for the local database, and for a server without a profile. */
  profile: string
}

export const WHO_AM_I_COLUMNS: readonly Column<WhoAmI>[] = [
  { name: 'gateway', value: ({ server }, { t }) => server || t('server.theDatabaseOnThisMachine') },
  { name: 'profile', value: ({ profile }) => profile || '-' },
  { name: 'id', value: ({ id }) => String(id) },
  { name: 'username', value: ({ username }) => username },
  { name: 'display-name', value: ({ display_name }) => display_name },
  { name: 'role', value: ({ role }, { label }) => label(labelOf(ROLE, role)) },
  { name: 'group', value: ({ group }) => group },
  { name: 'quota-left', value: (user, { quota }) => quota(user.quota) },
  { name: 'used', value: ({ used_quota }, { quota }) => quota(used_quota) },
]

/** An external account for signing in. */
interface Binding {
  provider: string
  /** Name or id of the account; empty if no account is bound. */
  account: string
}

export const BINDING_COLUMNS: readonly Column<Binding>[] = [
  { name: 'provider', value: ({ provider }, { label }) => label(provider) },
  { name: 'account', value: ({ account }) => account || '-' },
]

/** Invite code of a user, and the earnings by invitations, in quota. */
interface Invitations {
  code: string
  /** URL of the registration page with the code. */
  link: string
  /** Number of invited users. */
  count: number
  /** Earnings that are not transferred to the balance yet. */
  quota: number
  /** All earnings so far. */
  history_quota: number
}

export const INVITATION_COLUMNS: readonly Column<Invitations>[] = [
  { name: 'code', value: ({ code }) => code },
  { name: 'link', value: ({ link }) => link },
  { name: 'invited', value: ({ count }) => String(count) },
  { name: 'to-be-moved', value: (invitations, { quota }) => quota(invitations.quota) },
  { name: 'earned-in-all', value: ({ history_quota }, { quota }) => quota(history_quota) },
]
