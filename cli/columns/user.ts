import type { User } from '../../core/accounts/user.ts'
import { ROLE, USER_STATUS } from '../../core/actor.ts'
import type { Column } from '../table.ts'
import { wordOf } from '../words.ts'

export const USER_COLUMNS: readonly Column<User>[] = [
  { title: 'id', value: ({ id }) => String(id), align: 'right' },
  { title: 'username', value: ({ username }) => username },
  { title: 'display name', value: ({ display_name }) => display_name, cut: true },
  { title: 'role', value: ({ role }) => wordOf(ROLE, role) },
  {
    title: 'status',
    value: ({ status }) => wordOf(USER_STATUS, status),
    tone: ({ status }) => (status === USER_STATUS.enabled ? 'good' : 'bad'),
  },
  { title: 'group', value: ({ group }) => group },
  { title: 'quota left', value: (user, { quota }) => quota(user.quota), align: 'right' },
  { title: 'used', value: ({ used_quota }, { quota }) => quota(used_quota), align: 'right' },
  { title: 'requests', value: ({ request_count }) => String(request_count), align: 'right' },
]
