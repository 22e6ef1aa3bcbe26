import { useCallback } from 'react'
import type { Action } from '../../../core/accounts/actions.ts'
import type { User } from '../../../core/accounts/user.ts'
import { ROLE, USER_STATUS } from '../../../core/actor.ts'
import { USER_COLUMNS } from '../../columns/user.ts'
import type { Binding } from '../bindings.ts'
import { useDesk } from '../desk.ts'
import { UserForm } from '../forms/user.tsx'
import { type ListControl, type ListQuery, ListScreen } from '../list-screen.tsx'
import { Sheet, useRecordLines } from '../sheet.tsx'

/** People, newest first. */
export function UsersScreen() {
  const { toolkit, actor, say, text, ask } = useDesk()
  const linesOf = useRecordLines()
  const load = useCallback(
    async ({ keyword, ...paging }: ListQuery) =>
      toolkit.accounts.list(actor, { ...paging, ...(keyword && { keyword }) }),
    [toolkit, actor],
  )

  function bindings(user: User | undefined, list: ListControl): Binding[] {
    const create = { keys: ['a'], shown: 'a', label: text('create'), run: () => list.show(<UserForm list={list} />) }
    if (!user) return [create]
    const { id, username } = user
    const enabled = user.status === USER_STATUS.enabled
    const manage = (action: Action, done: string) =>
      list.act(say`Changing user ${username} …`, async () => {
        await toolkit.accounts.manage(actor, id, action)
        return done
      })
    return [
      {
        keys: ['enter'],
        shown: 'Enter',
        label: text('open'),
        run: () =>
          list.show(<Sheet title={say`User ${username}`} lines={linesOf(user, USER_COLUMNS)} onClose={list.close} />),
      },
      {
        keys: [' '],
        shown: 'Space',
        label: enabled ? text('disable') : text('enable'),
        run: () =>
          enabled
            ? ask(say`Disable user ${username}? All their keys are refused at once.`, () =>
                manage('disable', say`User ${username} is disabled.`),
              )
            : manage('enable', say`User ${username} is enabled.`),
      },
      create,
      { keys: ['e'], shown: 'e', label: text('edit'), run: () => list.show(<UserForm list={list} user={user} />) },
      ...(actor.role >= ROLE.root
        ? [
            user.role >= ROLE.admin
              ? {
                  keys: ['m'],
                  shown: 'm',
                  label: text('make common'),
                  run: () =>
                    ask(say`Make ${username} a common user?`, () =>
                      manage('demote', say`User ${username} is a common user now.`),
                    ),
                }
              : {
                  keys: ['m'],
                  shown: 'm',
                  label: text('make admin'),
                  run: () =>
                    ask(say`Make ${username} an administrator?`, () =>
                      manage('promote', say`User ${username} is an administrator now.`),
                    ),
                },
          ]
        : []),
      {
        keys: ['d'],
        shown: 'd',
        label: text('delete'),
        run: () =>
          ask(say`Delete user ${username}? Nothing brings the account back.`, () =>
            manage('delete', say`User ${username} is deleted.`),
          ),
      },
    ]
  }

  return (
    <ListScreen
      title={text('Users')}
      columns={USER_COLUMNS}
      load={load}
      keyOf={({ id }) => id}
      empty={text('No users yet: a creates one.')}
      searched={text('Part of a name or address, or an id')}
      bindings={bindings}
    />
  )
}
