import Button from '@arco-design/web-react/es/Button'
import Select from '@arco-design/web-react/es/Select'
import { IconPlus } from '@arco-design/web-react/icon'
import { useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { listUsers, manageUser, USER_STATUS, type User, type UserAction, useGroupNames } from '../../api/users.ts'
import { useConfirm } from '../../components/confirm.tsx'
import { DataTable } from '../../components/data-table/data-table.tsx'
import { everyPage } from '../../components/data-table/every-page.ts'
import { EmptyState } from '../../components/empty-state.tsx'
import { FilterBar } from '../../components/filter-bar.tsx'
import { useListing } from '../../components/listing.ts'
import { PageFrame } from '../../components/page.tsx'
import { type PagingState, useFilters, usePaging } from '../../components/paging.ts'
import { useRowChange } from '../../components/saving.ts'
import { useStableHandlers } from '../../components/stable-handlers.ts'
import { useNavigate, useParams, useSearchParams } from '../../router/hooks.ts'
import { withParameters } from '../../router/location.ts'
import { session } from '../../session.ts'
import { useStore } from '../../store.ts'
import NotFoundPage from '../not-found.tsx'
import { AddUserDrawer } from './add-user-drawer.tsx'
import { userColumns } from './columns.tsx'
import { EditUserDrawer } from './edit-user-drawer.tsx'
import { mayManage } from './levels.ts'
import { UserKeys } from './user-keys.tsx'
import './users.css'

const NO_FILTERS = { keyword: '', group: '' }

/** The list of users. The URL determines the user to edit, so an invalid id in the URL gives "not found". */
export default function UsersPage() {
  const { id } = useParams()
  return id === undefined || /^\d+$/.test(id) ? <Users id={id} /> : <NotFoundPage />
}

function Users({ id }: { id: string | undefined }) {
  const { t } = useTranslation()
  const confirm = useConfirm()
  const paging = usePaging()
  const { filters, setFilters, filtered, bar } = useFilters(NO_FILTERS)
  const { listing, manage } = useUsers(filters, paging, t('action.done'))
  const groups = useGroupNames()
  const navigate = useNavigate()
  const { search, adding, showAdding } = useAdding()
  const { user: me } = useStore(session)
  const [keysOf, setKeysOf] = useState<User>()

  /** Opens the drawer of a user, if the signed-in user may change that user. */
  const openUser = (user: User) => {
    if (mayManage(me, user)) handlers.onEdit(user)
  }

  const handlers = useStableHandlers({
    onKeys: setKeysOf,
    onEdit: (user: User) => void navigate(`/user/edit/${user.id}${search}`),
    onSwitch: (user: User, action: 'enable' | 'disable') => manage.click({ id: user.id, action }),
    onAct: (user: User, action: 'promote' | 'demote' | 'delete') =>
      confirm({
        title: t(`user.question.${action}.title`, { name: user.username }),
        content: t(`user.question.${action}.text`),
        okText: t(`user.action.${action}`),
        danger: action === 'delete',
        onOk: () => manage.mutateAsync({ id: user.id, action }),
      }),
  })
  const columns = useMemo(() => userColumns(t, handlers), [t, handlers])

  const addButton = (
    <Button type="primary" icon={<IconPlus />} onClick={() => showAdding(true)}>
      {t('user.add')}
    </Button>
  )
  return (
    <PageFrame title={t('screen.user')} extra={addButton}>
      <DataTable
        title={t('screen.user')}
        name="user"
        rowKey="id"
        columns={columns}
        listing={listing}
        paging={paging}
        rowClassName={classOf}
        onOpen={openUser}
        allRows={() => everyPage(({ page, pageSize }) => listUsers({ page, pageSize, ...filters }))}
        toolbar={
          <FilterBar fields={[{ name: 'keyword', label: t('user.search') }]} {...bar}>
            <Select
              {...(filters.group && { value: filters.group })}
              onChange={(group: string | undefined) => setFilters({ group: group ?? '' })}
              options={groups.data ?? []}
              placeholder={t('field.group')}
              aria-label={t('field.group')}
              allowClear
            />
          </FilterBar>
        }
        filtered={filtered}
        empty={<EmptyState title={t('user.none')} hint={t('user.noneHint')} action={addButton} />}
      />
      <UserKeys user={keysOf} onClose={() => setKeysOf(undefined)} />
      <AddUserDrawer visible={adding} onClose={() => showAdding(false)} />
      <EditUserDrawer
        id={id === undefined ? undefined : Number(id)}
        groups={groups.data ?? []}
        onClose={() => void navigate(`/user${search}`)}
      />
    </PageFrame>
  )
}

/**
 * Stores in the URL whether the form for a new user is open. `search` is the query of the list, which the paths of its
 * drawers also contain.
 */
function useAdding() {
  const [query, setQuery] = useSearchParams()
  return {
    search: query.size > 0 ? `?${query}` : '',
    adding: query.has('add'),
    showAdding: (visible: boolean) => setQuery((before) => withParameters(before, { add: visible ? '' : undefined })),
  }
}

const classOf = ({ DeletedAt }: User) => (DeletedAt === null ? '' : 'row-deleted')

interface ManageChange {
  id: number
  action: UserAction
}

/** Loads the users that match the filters. `manage` runs an action on a user. */
function useUsers({ keyword, group }: typeof NO_FILTERS, { page, pageSize, sort, order }: PagingState, done: string) {
  const queryKey = ['user', 'list', { keyword, group, page, pageSize, sort, order }]
  const listing = useListing(queryKey, (signal) => listUsers({ keyword, group, page, pageSize, sort, order }, signal))
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
