import type { User } from '../../api/users.ts'

/** Returns the path of a user's log rows. */
export const logsOf = ({ username }: Pick<User, 'username'>) => `/log?${new URLSearchParams({ username })}`

/** Returns the path of a user's dashboard. */
export const spendOf = ({ username }: Pick<User, 'username'>) => `/detail?${new URLSearchParams({ username })}`
