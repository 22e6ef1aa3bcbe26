import Form from '@arco-design/web-react/es/Form'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { createRequestKeys } from '../../api/request-keys.ts'
import { adjustQuota, type User } from '../../api/users.ts'
import { Field } from '../../components/form/field.tsx'
import { FormDialog } from '../../components/form/form-dialog.tsx'
import { useOpenings } from '../../components/form/openings.ts'
import { QuotaInput } from '../../components/form/quota-input.tsx'
import { Quota } from '../../components/quota.tsx'
import { useAction } from '../../components/saving.ts'

interface Props {
  user: User
  visible: boolean
  /** Called with the updated user. */
  onDone: (user: User) => void
  onClose: () => void
}

interface Amount {
  by: number | undefined
}

const EMPTY: Amount = { by: undefined }

/** A dialog that adds to or subtracts from a balance. Unlike a new total, a difference keeps concurrent charges. */
export function QuotaDialog({ user, visible, onDone, onClose }: Props) {
  const { t } = useTranslation()
  const [form] = Form.useForm<Amount>()
  const by = Form.useWatch('by', form)
  const opening = useOpenings(visible)
  const requestKeys = useMemo(createRequestKeys, [])
  const addQuotaAction = useAction({
    // The key depends on the opening. After a success, the dialog closes, so the next change has another key.
    run: (amount: number) => adjustQuota(user.id, amount, requestKeys.keyFor({ opening, amount })),
    done: t('action.done'),
    stale: ['user'],
    after: onDone,
  })

  return (
    <FormDialog<Amount>
      title={t('user.addQuota')}
      visible={visible}
      form={form}
      initialValues={EMPTY}
      onSubmit={({ by }) => addQuotaAction.mutateAsync(by ?? 0)}
      onClose={onClose}
    >
      <p className="panel-note dialog-note">{t('user.addQuotaHint')}</p>
      <Field
        label={t('user.addQuota')}
        field="by"
        rules={[{ validator: (value, callback) => callback(value ? undefined : t('user.balanceMissing')) }]}
      >
        <QuotaInput min={Number.MIN_SAFE_INTEGER} />
      </Field>
      <p className="panel-note">
        {t('user.balanceAfter')} <Quota value={user.quota + (by ?? 0)} />
      </p>
    </FormDialog>
  )
}
