import { randomUUID } from 'node:crypto'
import { useState } from 'react'
import type { User } from '../../../core/accounts/user.ts'
import { ROLE } from '../../../core/actor.ts'
import { labelOf } from '../../input/enum-labels.ts'
import { isOutcomeUnknown } from '../../run/retry.ts'
import { useAmount } from '../amounts.ts'
import type { FieldValues, FormField } from '../fields.ts'
import { Form } from '../form.tsx'
import type { ListControl } from '../list-screen.tsx'
import { useUi } from '../ui-context.ts'

/** Form that creates or edits a user: names, group, balance, password. */
export function UserForm({ user, list }: { user?: User; list: ListControl }) {
  const { toolkit, actor, t, format, notify } = useUi()
  const amount = useAmount()
  // Prevents a repeated balance change when the form is submitted again after a lost reply. `made` is the sum of the
  // successful changes, and `lost` is a change with unknown outcome.
  const [balance] = useState(() => ({ key: randomUUID(), made: 0, lost: 0 }))
  const roles = [ROLE.common, ROLE.admin].filter((role) => role < actor.role)
  const quotaHint = (value: string) => {
    const quota = amount.quotaIn(value)
    if (quota === undefined) return user ? t('ui.empty') : t('ui.emptyUsual')
    const by = user ? quota - user.quota : 0
    const size = format.money(Math.abs(by))
    if (by === 0) return amount.hint(value)
    return by > 0 ? t('ui.addsToTheBalance', { size }) : t('ui.subtractsFromTheBalance', { size })
  }
  const fields: FormField[] = [
    { name: 'username', label: t('ui.name'), initial: user?.username ?? '', required: true },
    {
      kind: 'secret',
      name: 'password',
      label: t('ui.password'),
      initial: '',
      ...(user ? { hint: t('ui.empty') } : { required: true, hint: t('ui.n8To20Characters') }),
    },
    { name: 'display_name', label: t('ui.displayName'), initial: user?.display_name ?? '' },
    ...(user
      ? []
      : [
          {
            kind: 'choice' as const,
            name: 'role',
            label: t('ui.role'),
            initial: String(ROLE.common),
            choices: roles.map((role) => ({ value: String(role), label: labelOf(ROLE, role) })),
          },
        ]),
    {
      name: 'quota',
      label: t('ui.quota'),
      initial: user ? String(user.quota) : '',
      // A negative balance may stay unchanged.
      check: (value) => value === String(user?.quota) || amount.read(value),
      hint: quotaHint,
    },
    { name: 'group', label: t('ui.group'), initial: user?.group ?? 'default' },
  ]

  async function submit(values: FieldValues): Promise<void> {
    notify(user ? await save(user, values) : await create(values), 'good')
    list.close()
    list.reload()
  }

  async function create({ password = '', role, quota = '', ...values }: FieldValues): Promise<string> {
    const account = { username: '', display_name: '', ...accountFields(values) }
    const balance = quota.trim() !== '' && { quota: amount.read(quota) }
    await toolkit.accounts.create(actor, { ...account, ...balance, password, role: Number(role) })
    return t('ui.createdUser', { username: account.username })
  }

  /**
   * Saves the fields first, because they may be rejected and retried. Then changes the balance by a difference, because
   * requests change the balance while the form is open.
   */
  async function save(
    { id, username, quota: loaded }: User,
    { password, quota, ...values }: FieldValues,
  ): Promise<string> {
    const group = values.group !== undefined && { group: values.group.trim() }
    const changes = { ...accountFields(values), ...group, ...(password && { password }) }
    if (Object.keys(changes).length > 0) await toolkit.accounts.update(actor, { id, ...changes })
    const name = changes.username ?? username
    const difference = quota?.trim() ? amount.read(quota) - loaded : 0
    // The amount in the form has changed since a lost reply. Repeats the lost change first, because the new change
    // depends on its outcome.
    if (balance.lost !== 0 && balance.made + balance.lost !== difference) await adjust(id, balance.lost)
    const by = difference - balance.made
    if (by === 0) return t('ui.savedUser', { name })
    return t('ui.savedUserNew', { name, balance: format.money(await adjust(id, by)) })
  }

  /** Changes the balance by `by`. Returns the new balance. */
  async function adjust(id: number, by: number): Promise<number> {
    const { key, made } = balance
    try {
      const { quota } = await toolkit.accounts.adjustQuota(actor, id, by, { idempotencyKey: `${key} ${made} ${by}` })
      Object.assign(balance, { made: made + by, lost: 0 })
      return quota
    } catch (error) {
      balance.lost = isOutcomeUnknown(error) ? by : 0
      throw error
    }
  }

  const title = user ? t('ui.editUser', { username: user.username }) : t('ui.newUser')
  return <Form title={title} existing={user !== undefined} fields={fields} submit={submit} onClose={list.close} />
}

function accountFields({ username, display_name, group }: FieldValues) {
  return {
    ...(username !== undefined && { username: username.trim() }),
    ...(display_name !== undefined && { display_name: display_name.trim() }),
    ...(group?.trim() && { group: group.trim() }),
  }
}
