import type { User } from '../../core/accounts/user.ts'
import { ROLE } from '../../core/actor.ts'
import { labelOf } from '../input/enum-labels.ts'
import type { Column } from '../output/column.ts'

/** The signed-in user and the server. */
export interface WhoAmI
  extends Pick<User, 'id' | 'username' | 'display_name' | 'role' | 'group' | 'quota' | 'used_quota'> {
  /** Address of the server; empty for the database on this machine. */
  server: string
  /** Empty if the server was given by address. */
  profile: string
}

export const WHO_AM_I_COLUMNS: readonly Column<WhoAmI>[] = [
  { title: 'gateway', value: ({ server }, { text }) => server || text('the database on this machine') },
  { title: 'profile', value: ({ profile }) => profile || '-' },
  { title: 'id', value: ({ id }) => String(id) },
  { title: 'username', value: ({ username }) => username },
  { title: 'display name', value: ({ display_name }) => display_name },
  { title: 'role', value: ({ role }, { text }) => text(labelOf(ROLE, role)) },
  { title: 'group', value: ({ group }) => group },
  { title: 'quota left', value: (user, { quota }) => quota(user.quota) },
  { title: 'used', value: ({ used_quota }, { quota }) => quota(used_quota) },
]

/** An external account for signing in. */
export interface Binding {
  provider: string
  /** Empty: not bound. */
  account: string
}

export const BINDING_COLUMNS: readonly Column<Binding>[] = [
  { title: 'provider', value: ({ provider }, { text }) => text(provider) },
  { title: 'account', value: ({ account }) => account || '-' },
]

/** Users that the user has invited, and the earnings. */
export interface Invitations {
  code: string
  /** The registration page for the code. */
  link: string
  count: number
  /** Earnings not yet transferred to the balance. */
  quota: number
  /** All earnings so far. */
  history_quota: number
}

export const INVITATION_COLUMNS: readonly Column<Invitations>[] = [
  { title: 'code', value: ({ code }) => code },
  { title: 'link', value: ({ link }) => link },
  { title: 'invited', value: ({ count }) => String(count) },
  { title: 'to be moved', value: (invitations, { quota }) => quota(invitations.quota) },
  { title: 'earned in all', value: ({ history_quota }, { quota }) => quota(history_quota) },
]
