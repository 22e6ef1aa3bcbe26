import { randomUUID } from 'node:crypto'
import { useState } from 'react'
import type { User } from '../../../core/accounts/user.ts'
import { ROLE } from '../../../core/actor.ts'
import { quotaField } from '../../arguments.ts'
import { answerLost } from '../../patience.ts'
import { wordOf } from '../../words.ts'
import { useDesk } from '../desk.ts'
import type { Field, Values } from '../fields.ts'
import { Form } from '../form.tsx'
import type { ListControl } from '../list-screen.tsx'

/** A new user, or one that is edited: names, group, balance, password. */
export function UserForm({ user, list }: { user?: User; list: ListControl }) {
  const { toolkit, actor, say, text, format, tell } = useDesk()
  // The balance is changed once, though the form is sent again because an answer was lost: `made` is what is known to be
  // changed, `lost` what may be.
  const [balance] = useState(() => ({ key: randomUUID(), made: 0, lost: 0 }))
  const roles = [ROLE.common, ROLE.admin].filter((role) => role < actor.role)
  const quotaHint = (value: string) => {
    if (!/^\d+$/.test(value)) return user ? text('empty: as it is') : text('empty: the usual')
    const by = user ? Number(value) - user.quota : 0
    const amount = format.money(Math.abs(by))
    if (by === 0) return `= ${format.money(Number(value))}`
    return by > 0 ? say`adds ${amount} to the balance` : say`takes ${amount} off the balance`
  }
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
      check: (value) => value === String(user?.quota) || quotaField(value),
      hint: quotaHint,
    },
    { kind: 'text', name: 'group', label: text('Group'), initial: user?.group ?? 'default' },
  ]

  async function submit(values: Values): Promise<void> {
    tell(user ? await save(user, values) : await create(values), 'good')
    list.close()
    list.reload()
  }

  async function create({ password = '', role, quota = '', ...values }: Values): Promise<string> {
    const parts = { username: '', display_name: '', ...partsOf(values) }
    const balance = quota.trim() !== '' && { quota: Number(quota) }
    await toolkit.accounts.create(actor, { ...parts, ...balance, password, role: Number(role) })
    return say`User ${parts.username} is created.`
  }

  /** What may be refused comes first: the form can be sent again then. The balance moves meanwhile, so it is never overwritten. */
  async function save({ id, username, quota: loaded }: User, { password, quota, ...values }: Values): Promise<string> {
    const changes = { ...partsOf(values), ...(password && { password }) }
    if (Object.keys(changes).length > 0) await toolkit.accounts.update(actor, { id, ...changes })
    const name = changes.username ?? username
    const wanted = quota?.trim() ? quotaField(quota.trim()) - loaded : 0
    // Another balance is wanted by now: the change comes on top of what was asked for before, so that is made first.
    if (balance.lost !== 0 && balance.made + balance.lost !== wanted) await adjust(id, balance.lost)
    const by = wanted - balance.made
    if (by === 0) return say`User ${name} is saved.`
    return say`User ${name} is saved. Balance now: ${format.money(await adjust(id, by))}`
  }

  /** Answers the balance after it. */
  async function adjust(id: number, by: number): Promise<number> {
    const { key, made } = balance
    try {
      const { quota } = await toolkit.accounts.adjustQuota(actor, id, by, { idempotencyKey: `${key} ${made} ${by}` })
      Object.assign(balance, { made: made + by, lost: 0 })
      return quota
    } catch (error) {
      balance.lost = answerLost(error) ? by : 0
      throw error
    }
  }

  const title = user ? say`Edit user ${user.username}` : text('New user')
  return <Form title={title} existing={user !== undefined} fields={fields} submit={submit} onClose={list.close} />
}

function partsOf({ username, display_name, group }: Values) {
  return {
    ...(username !== undefined && { username: username.trim() }),
    ...(display_name !== undefined && { display_name: display_name.trim() }),
    ...(group?.trim() && { group: group.trim() }),
  }
}
