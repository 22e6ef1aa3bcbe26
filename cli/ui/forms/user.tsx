import type { User } from '../../../core/accounts/user.ts'
import { ROLE } from '../../../core/actor.ts'
import { quotaArgument } from '../../arguments.ts'
import { wordOf } from '../../words.ts'
import { useDesk } from '../desk.ts'
import type { Field, Values } from '../fields.ts'
import { Form } from '../form.tsx'
import type { ListControl } from '../list-screen.tsx'

/** A new user, or one that is edited: names, group, balance, password. */
export function UserForm({ user, list }: { user?: User; list: ListControl }) {
  const { toolkit, actor, say, text, format, tell } = useDesk()
  const roles = [ROLE.common, ROLE.admin].filter((role) => role < actor.role)
  const fields: Field[] = [
    { kind: 'text', name: 'username', label: text('Name'), initial: user?.username ?? '', required: true },
    {
      kind: 'secret',
      name: 'password',
      label: text('Password'),
      initial: '',
      ...(user ? { hint: text('empty: as it is') } : { required: true, hint: text('8 to 20 characters') }),
    },
    { kind: 'text', name: 'display_name', label: text('Display name'), initial: user?.display_name ?? '' },
    ...(user
      ? []
      : [
          {
            kind: 'choice' as const,
            name: 'role',
            label: text('Role'),
            initial: String(ROLE.common),
            choices: roles.map((role) => ({ value: String(role), label: wordOf(ROLE, role) })),
          },
        ]),
    {
      kind: 'text',
      name: 'quota',
      label: text('Quota'),
      initial: user ? String(user.quota) : '',
      // A balance below zero may stay as it is.
      check: (value) => value === String(user?.quota) || quotaArgument(value),
      hint: (value) => (/^\d+$/.test(value) ? `= ${format.money(Number(value))}` : text('empty: the usual')),
    },
    { kind: 'text', name: 'group', label: text('Group'), initial: user?.group ?? 'default' },
  ]

  async function submit(values: Values): Promise<void> {
    const { username = '', password = '', display_name = '', role, quota = '', group = '' } = values
    const parts = {
      username: username.trim(),
      display_name: display_name.trim(),
      ...(quota.trim() !== '' && { quota: Number(quota) }),
      ...(group.trim() !== '' && { group: group.trim() }),
    }
    if (user) {
      await toolkit.accounts.update(actor, { id: user.id, ...parts, ...(password && { password }) })
      tell(say`User ${parts.username} is saved.`, 'good')
    } else {
      await toolkit.accounts.create(actor, { ...parts, password, role: Number(role) })
      tell(say`User ${parts.username} is created.`, 'good')
    }
    list.close()
    list.reload()
  }
  const title = user ? say`Edit user ${user.username}` : text('New user')
  return <Form title={title} fields={fields} submit={submit} onClose={list.close} />
}
