import { NEVER, type NewToken, type Token } from '../../../core/tokens/token.ts'
import { displayedToken } from '../../columns/token.ts'
import { futureTime } from '../../input/arguments.ts'
import { useAmount } from '../amounts.ts'
import { useCopy } from '../app-lifecycle.ts'
import { bindKey } from '../bindings.ts'
import { type FieldValues, type FormField, yesNo } from '../fields.ts'
import { Form } from '../form.tsx'
import type { ListControl } from '../list-screen.tsx'
import { BLANK, Sheet } from '../sheet.tsx'
import { useUi } from '../ui-context.ts'
import { useUnchanged } from './unchanged.ts'

/** Default budget: one dollar at the default QuotaPerUnit. */
const QUOTA_DEFAULT = 500_000

/** Form that creates a token and shows its key, or edits a token. */
export function TokenForm({ token, list }: { token?: Token; list: ListControl }) {
  const { toolkit, actor, t, notify } = useUi()
  const amount = useAmount()
  const copy = useCopy()
  const checkUnchanged = useUnchanged(token?.remain_quota)
  const expires = !token || token.expired_time === NEVER ? 'never' : localTime(token.expired_time)
  const fields: FormField[] = [
    { name: 'name', label: t('ui.name'), initial: token?.name ?? '', required: true },
    {
      name: 'remain_quota',
      label: t('ui.quota'),
      initial: String(token?.remain_quota ?? QUOTA_DEFAULT),
      check: amount.read,
      hint: (value) => amount.hint(value) || t('ui.amountExamples'),
    },
    yesNo({ name: 'unlimited_quota', label: t('ui.unlimited'), initial: token?.unlimited_quota ?? false, t }),
    {
      name: 'expired_time',
      label: t('ui.expires'),
      initial: expires,
      check: (value) => value === expires || futureTime(value),
      hint: t('ui.expiryExamples'),
    },
    {
      name: 'model_limits',
      label: t('ui.models'),
      initial: token?.model_limits ?? '',
      hint: t('ui.separatedByCommasEmpty'),
    },
    {
      name: 'allow_ips',
      label: t('ui.addresses'),
      initial: token?.allow_ips.split('\n').join(',') ?? '',
      hint: t('ui.separatedByCommasEmpty'),
    },
    { name: 'group', label: t('ui.group'), initial: token?.group ?? '', hint: t('ui.emptyTheOwner') },
  ]

  async function submit(values: FieldValues): Promise<void> {
    if (token) {
      const changes = tokenFields(values, amount.read)
      if (changes.remain_quota !== undefined) checkUnchanged((await toolkit.tokens.get(actor, token.id)).remain_quota)
      const { name } = await toolkit.tokens.update(actor, token.id, changes)
      notify(t('ui.savedToken', { name }), 'good')
      list.close()
    } else {
      const { name, key } = displayedToken(
        await toolkit.tokens.create(actor, { name: '', ...tokenFields(values, amount.read) }),
        { wholeKey: true },
      )
      const lines = [BLANK, { text: key, tone: 'good' as const }, BLANK, { text: t('ui.copyItNow') }]
      const bindings = [bindKey('y', t('ui.copyKey'), () => copy(t('ui.theKeyOfToken', { name }), key))]
      list.show(<Sheet title={t('ui.keyTitle', { name })} lines={lines} bindings={bindings} onClose={list.close} />)
    }
    list.reload()
  }
  const title = token ? t('ui.editToken', { name: token.name }) : t('ui.newToken')
  return <Form title={title} existing={token !== undefined} fields={fields} submit={submit} onClose={list.close} />
}

/** Converts values of the form to the fields of a token. */
function tokenFields(values: FieldValues, quotaIn: (text: string) => number): Partial<NewToken> {
  const { name, remain_quota: quota, unlimited_quota, expired_time: expires, model_limits: models, group } = values
  return {
    ...(name !== undefined && { name }),
    ...(quota !== undefined && { remain_quota: quota.trim() === '' ? 0 : quotaIn(quota) }),
    ...(unlimited_quota !== undefined && { unlimited_quota: unlimited_quota === 'true' }),
    ...(expires !== undefined && { expired_time: expires.trim() === '' ? NEVER : futureTime(expires.trim()) }),
    ...(models !== undefined && { model_limits: models.trim(), model_limits_enabled: models.trim() !== '' }),
    ...(values.allow_ips !== undefined && { allow_ips: values.allow_ips.split(',').join('\n') }),
    ...(group !== undefined && { group: group.trim() }),
  }
}

/** Formats a time as local time that `futureTime` can parse. */
function localTime(seconds: number): string {
  return new Date(seconds * 1000).toLocaleString('sv-SE').replace(' ', 'T')
}
