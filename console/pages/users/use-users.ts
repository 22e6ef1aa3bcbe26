import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { listUsers, manageUser, USER_STATUS, type User, type UserAction } from '../../api/users.ts'
import type { PagingState } from '../../components/paging.ts'
import { useRowChange } from '../../components/saving.ts'

export interface UserFilters extends Record<string, string> {
  keyword: string
  group: string
}

interface ManageChange {
  id: number
  action: UserAction
}

/** Loads the users that match the filters. `manage` runs an action on a user. */
export function useUsers({ keyword, group }: UserFilters, { page, pageSize, sort, order }: PagingState, done: string) {
  const queryKey = ['user', 'list', { keyword, group, page, pageSize, sort, order }]
  const listing = useQuery({
    queryKey,
    queryFn: ({ signal }) => listUsers({ keyword, group, page, pageSize, sort, order }, signal),
    placeholderData: keepPreviousData,
  })
  const manage = useRowChange<User, ManageChange, Pick<User, 'role' | 'status'>>({
    queryKey,
    changed: (row, { action }) => ({ ...row, status: statusAfter(action) ?? row.status }),
    run: ({ id, action }) => manageUser(id, action),
    merge: (row, { role, status }, { action }) => ({
      ...row,
      role,
      status,
      ...(action === 'delete' && { DeletedAt: new Date().toISOString() }),
    }),
    done,
  })
  return { listing, manage }
}

function statusAfter(action: UserAction): number | undefined {
  switch (action) {
    case 'enable':
      return USER_STATUS.enabled
    case 'disable':
      return USER_STATUS.disabled
    default:
      return undefined
  }
}
