import { useCallback } from 'react'
import type { Action } from '../../../core/accounts/actions.ts'
import type { User } from '../../../core/accounts/user.ts'
import { ROLE, USER_STATUS } from '../../../core/actor.ts'
import { USER_COLUMNS } from '../../columns/user.ts'
import { bindKey, type KeyBinding } from '../bindings.ts'
import { ofUser, useRequestKeys } from '../drill.tsx'
import { UserForm } from '../forms/user.tsx'
import { type ListQuery, ListScreen, type RowControl } from '../list-screen.tsx'
import { Sheet, useRecordLines } from '../sheet.tsx'
import { useStatusKeys } from '../status-keys.ts'
import { useUi } from '../ui-context.ts'

/** Screen with the users, newest first. */
export function UsersScreen() {
  const { toolkit, actor, t } = useUi()
  const ofRow = useUserBindings()
  const load = useCallback(
    async ({ keyword, ...paging }: ListQuery) =>
      toolkit.accounts.list(actor, { ...paging, ...(keyword && { keyword }) }),
    [toolkit, actor],
  )
  function bindings(user: User | undefined, list: RowControl<User>): KeyBinding[] {
    const create = bindKey('a', t('ui.create'), () => list.show(<UserForm list={list} />))
    return [...(user ? ofRow(user, list) : []), create]
  }
  return (
    <ListScreen
      title={t('ui.users')}
      columns={USER_COLUMNS}
      load={load}
      keyOf={({ id }) => id}
      empty={t('ui.noUsersYet')}
      searched={t('ui.partOfANameOrAddress')}
      markable
      bindings={bindings}
    />
  )
}

/** Returns a function that returns the key bindings for the user at the cursor, or for the marked users. */
function useUserBindings() {
  const { t } = useUi()
  const drill = useRequestKeys()
  const statusKeys = useUserStatusKeys()
  const changeRole = useRoleChange()
  const linesOf = useRecordLines()

  return (user: User, list: RowControl<User>): KeyBinding[] => {
    const { id, username } = user
    const open = () => {
      const lines = linesOf(user, USER_COLUMNS)
      const back = () => {
        const bindings = drill(ofUser(user), list, back)
        list.show(
          <Sheet title={t('ui.userTitle', { username })} lines={lines} bindings={bindings} onClose={list.close} />,
        )
      }
      back()
    }
    return [
      bindKey('enter', t('ui.open'), open),
      ...drill(ofUser(user), list),
      ...statusKeys(list),
      bindKey('e', t('ui.edit'), () => list.show(<UserForm list={list} user={user} />)),
      ...changeRole(user, list),
      bindKey('y', t('ui.copyId'), () => list.copy(t('ui.theIdOfUser', { username }), String(id)), { quiet: true }),
    ]
  }
}

/** Returns a function that returns the key binding with which root promotes or demotes a user. */
function useRoleChange() {
  const { toolkit, actor, t, confirm } = useUi()
  return ({ id, username, role }: User, list: RowControl<User>): KeyBinding[] => {
    if (actor.role < ROLE.root) return []
    const manage = (action: Action, done: string) =>
      list.run(t('ui.updatingUser', { username }), async () => {
        await toolkit.accounts.manage(actor, id, action)
        return done
      })
    const demote = () =>
      confirm(t('ui.makeACommonUser', { username }), () => manage('demote', t('ui.userIsNowACommonUser', { username })))
    const promote = () =>
      confirm(t('ui.makeAnAdministrator', { username }), () =>
        manage('promote', t('ui.userIsNowAnAdministrator', { username })),
      )
    return [role >= ROLE.admin ? bindKey('m', t('ui.makeCommon'), demote) : bindKey('m', t('ui.makeAdmin'), promote)]
  }
}

function useUserStatusKeys() {
  const { toolkit, actor, t } = useUi()
  return useStatusKeys<User>({
    isEnabled: ({ status }) => status === USER_STATUS.enabled,
    setEnabled: async ({ id }, isEnabled) => toolkit.accounts.manage(actor, id, isEnabled ? 'enable' : 'disable'),
    remove: async ({ id }) => toolkit.accounts.manage(actor, id, 'delete'),
    texts: {
      updating: [({ username }) => t('ui.updatingUser', { username }), (count) => t('ui.updatingUsers', { count })],
      enabled: [({ username }) => t('ui.enabledUser', { name: username }), (count) => t('ui.enabledUsers', { count })],
      disabled: [
        ({ username }) => t('ui.disabledUser', { name: username }),
        (count) => t('ui.disabledUsers', { count }),
      ],
      deleting: [({ username }) => t('ui.updatingUser', { username }), (count) => t('ui.updatingUsers', { count })],
      deleted: [({ username }) => t('ui.deletedUser', { name: username }), (count) => t('ui.deletedUsers', { count })],
      confirmDisable: [
        ({ username }) => t('ui.disableUser', { name: username }),
        (count) => t('ui.disableUsers', { count }),
      ],
      confirmDelete: [
        ({ username }) => t('ui.deleteUser', { name: username }),
        (count) => t('ui.deleteUsers', { count }),
      ],
    },
  })
}
