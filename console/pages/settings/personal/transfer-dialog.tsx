import Form from '@arco-design/web-react/es/Form'
import Message from '@arco-design/web-react/es/Message'
import { useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { createRequestKeys } from '../../../api/request-keys.ts'
import { useStatus } from '../../../api/status.ts'
import { transferEarnings } from '../../../api/users.ts'
import { formatQuota } from '../../../components/amounts.ts'
import { Field } from '../../../components/form/field.tsx'
import { FormDialog } from '../../../components/form/form-dialog.tsx'
import { useOpenings } from '../../../components/form/openings.ts'
import { QuotaInput } from '../../../components/form/quota-input.tsx'
import { Quota } from '../../../components/quota.tsx'
import { useAction } from '../../../components/saving.ts'

interface Props {
  /** Quota of the earnings that are not transferred yet. */
  available: number
  visible: boolean
  onClose: () => void
}

/** A dialog that transfers invite earnings to the balance. The minimum is one unit, which is one dollar of quota. */
export function TransferEarningsDialog({ available, visible, onClose }: Props) {
  const { t } = useTranslation()
  const { data: status } = useStatus()
  const [form] = Form.useForm<{ quota: number }>()
  const minimum = status?.quota_per_unit ?? 0
  const opening = useOpenings(visible)
  const requestKeys = useMemo(createRequestKeys, [])
  // If a reply is lost, less may be available afterward. The amount must not change, so that a retry is the same request.
  const [initialAmount, setInitialAmount] = useState({ opening, quota: available })
  if (initialAmount.opening !== opening) setInitialAmount({ opening, quota: available })
  const transferAction = useAction({
    // The key contains the opening: after a success, the dialog closes, and the next opening has another key.
    run: (quota: number) => transferEarnings(quota, requestKeys.keyFor({ opening, quota })),
    done: ({ message }) => message,
    stale: ['user'],
  })

  async function submit({ quota }: { quota: number | undefined }) {
    if (quota !== undefined && quota >= minimum) return transferAction.mutateAsync(quota)
    const problem = t('personal.transferMinimum', { minimum: status ? formatQuota(minimum, status) : minimum })
    Message.error(problem)
    throw new Error(problem) // keeps the dialog open
  }

  return (
    <FormDialog<{ quota: number }>
      title={t('personal.transferTitle')}
      visible={visible}
      form={form}
      initialValues={{ quota: initialAmount.quota }}
      onSubmit={submit}
      onClose={onClose}
      submitText={t('personal.transferNow')}
    >
      <p className="panel-note dialog-note">
        {t('personal.transferAvailable')} <Quota value={available} />
      </p>
      <Field
        label={t('personal.transferAmount')}
        field="quota"
        extra={status && t('personal.transferHint', { minimum: formatQuota(minimum, status) })}
      >
        <QuotaInput max={initialAmount.quota} />
      </Field>
    </FormDialog>
  )
}
