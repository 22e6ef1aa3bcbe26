import { useCallback } from 'react'
import type { Action } from '../../../core/accounts/actions.ts'
import type { User } from '../../../core/accounts/user.ts'
import { ROLE, USER_STATUS } from '../../../core/actor.ts'
import { USER_COLUMNS } from '../../columns/user.ts'
import type { KeyBinding } from '../bindings.ts'
import { ofUser, useDrill } from '../drill.tsx'
import { UserForm } from '../forms/user.tsx'
import { type ListQuery, ListScreen, type RowControl } from '../list-screen.tsx'
import { Sheet, useRecordLines } from '../sheet.tsx'
import { useUi } from '../ui-context.ts'

/** People, newest first. */
export function UsersScreen() {
  const { toolkit, actor, text } = useUi()
  const ofRow = useUserBindings()
  const load = useCallback(
    async ({ keyword, ...paging }: ListQuery) =>
      toolkit.accounts.list(actor, { ...paging, ...(keyword && { keyword }) }),
    [toolkit, actor],
  )
  function bindings(user: User | undefined, list: RowControl<User>): KeyBinding[] {
    const create = { keys: ['a'], shown: 'a', label: text('create'), run: () => list.show(<UserForm list={list} />) }
    return [...(user ? ofRow(user, list) : []), create]
  }
  return (
    <ListScreen
      title={text('Users')}
      columns={USER_COLUMNS}
      load={load}
      keyOf={({ id }) => id}
      empty={text('No users yet. Press a to create one.')}
      searched={text('Part of a name or address, or an id')}
      markable
      bindings={bindings}
    />
  )
}

/** Keys for the cursor's user or the marked ones. */
function useUserBindings() {
  const { say, text } = useUi()
  const drill = useDrill()
  const several = useSeveralUsers()
  const level = useLevel()
  const linesOf = useRecordLines()

  return (user: User, list: RowControl<User>): KeyBinding[] => {
    const { id, username } = user
    const open = () => {
      const lines = linesOf(user, USER_COLUMNS)
      const back = () => {
        const bindings = drill(ofUser(user), list, back)
        list.show(<Sheet title={say`User ${username}`} lines={lines} bindings={bindings} onClose={list.close} />)
      }
      back()
    }
    return [
      { keys: ['enter'], shown: 'Enter', label: text('open'), run: open },
      ...drill(ofUser(user), list),
      ...several(list),
      { keys: ['e'], shown: 'e', label: text('edit'), run: () => list.show(<UserForm list={list} user={user} />) },
      ...level(user, list),
      {
        keys: ['y'],
        shown: 'y',
        label: text('copy id'),
        run: () => list.copy(say`the id of user ${username}`, String(id)),
        quiet: true,
      },
    ]
  }
}

/** For root: promotes or demotes a user. */
function useLevel() {
  const { toolkit, actor, say, text, confirm } = useUi()
  return ({ id, username, role }: User, list: RowControl<User>): KeyBinding[] => {
    if (actor.role < ROLE.root) return []
    const manage = (action: Action, done: string) =>
      list.run(say`Updating user ${username} …`, async () => {
        await toolkit.accounts.manage(actor, id, action)
        return done
      })
    const demote = () =>
      confirm(say`Make ${username} a common user?`, () => manage('demote', say`User ${username} is now a common user.`))
    const promote = () =>
      confirm(say`Make ${username} an administrator?`, () =>
        manage('promote', say`User ${username} is now an administrator.`),
      )
    return [
      role >= ROLE.admin
        ? { keys: ['m'], shown: 'm', label: text('make common'), run: demote }
        : { keys: ['m'], shown: 'm', label: text('make admin'), run: promote },
    ]
  }
}

function useSeveralUsers() {
  const { toolkit, actor, say, text, confirm } = useUi()
  return (list: RowControl<User>): KeyBinding[] => {
    const { chosen, several } = list
    const name = chosen[0]?.username ?? ''
    const disables = chosen.some(({ status }) => status === USER_STATUS.enabled)
    const change = (action: Action, done: (count: number) => string) =>
      list.each({
        doing: several ? say`Updating ${chosen.length} users …` : say`Updating user ${name} …`,
        one: async ({ id }) => toolkit.accounts.manage(actor, id, action),
        done,
      })
    const enable = () =>
      change('enable', (count) => (several ? say`Enabled ${count} users.` : say`Enabled user ${name}.`))
    const disable = () =>
      confirm(
        several
          ? say`Disable ${chosen.length} users? All their keys are rejected at once.`
          : say`Disable user ${name}? All their keys are rejected at once.`,
        () => change('disable', (count) => (several ? say`Disabled ${count} users.` : say`Disabled user ${name}.`)),
      )
    const remove = () =>
      confirm(
        several
          ? say`Delete ${chosen.length} users? This cannot be undone.`
          : say`Delete user ${name}? This cannot be undone.`,
        () => change('delete', (count) => (several ? say`Deleted ${count} users.` : say`Deleted user ${name}.`)),
      )
    return [
      {
        keys: [' '],
        shown: 'Space',
        label: disables ? text('disable') : text('enable'),
        run: disables ? disable : enable,
      },
      { keys: ['d'], shown: 'd', label: text('delete'), run: remove },
    ]
  }
}
