import type { User } from '../../core/accounts/user.ts'
import { ROLE, USER_STATUS } from '../../core/actor.ts'
import { labelOf } from '../input/enum-labels.ts'
import type { Column } from '../output/column.ts'
import { BALANCE_COLUMN, USED_COLUMN } from './quota.ts'

/** Returns `deleted` for a deleted account, else the name of its status. */
export const statusWord = ({ status, DeletedAt }: Pick<User, 'status' | 'DeletedAt'>): string =>
  DeletedAt === null ? labelOf(USER_STATUS, status) : 'deleted'

export const USER_COLUMNS: readonly Column<User>[] = [
  { name: 'id', rank: 1, value: ({ id }) => String(id), align: 'right' },
  { name: 'username', rank: 2, value: ({ username }) => username },
  { name: 'display-name', rank: 9, value: ({ display_name }) => display_name, cut: true },
  { name: 'role', rank: 4, value: ({ role }, { label }) => label(labelOf(ROLE, role)) },
  {
    name: 'status',
    rank: 3,
    value: (user, { label }) => label(statusWord(user)),
    tone: (user) => (statusWord(user) === 'enabled' ? 'good' : 'bad'),
  },
  { name: 'group', rank: 6, value: ({ group }) => group },
  { ...BALANCE_COLUMN, rank: 5 },
  { ...USED_COLUMN, rank: 7 },
  { name: 'requests', rank: 8, value: ({ request_count }) => String(request_count), align: 'right' },
  { name: 'debt-limit', value: (user, { quota }) => quota(user.debt_limit ?? 0), align: 'right', detail: true },
  { name: 'mail-address', value: ({ email }) => email || '-', detail: true },
  { name: 'invited-by', value: ({ inviter_id }) => (inviter_id ? String(inviter_id) : '-'), detail: true },
  { name: 'invited', value: ({ aff_count }) => String(aff_count), detail: true },
]
