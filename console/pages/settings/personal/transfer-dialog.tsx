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
  /** Earnings that have not been transferred. */
  available: number
  visible: boolean
  onClose: () => void
}

/** Moves invite earnings to the balance; at least one unit at a time. */
export function TransferEarningsDialog({ available, visible, onClose }: Props) {
  const { t } = useTranslation()
  const { data: status } = useStatus()
  const [form] = Form.useForm<{ quota: number }>()
  const minimum = status?.quota_per_unit ?? 0
  const opening = useOpenings(visible)
  const requestKeys = useMemo(createRequestKeys, [])
  // After a lost reply less may be available: keep the amount, so that a retry is the same request.
  const [offered, setOffered] = useState({ opening, quota: available })
  if (offered.opening !== opening) setOffered({ opening, quota: available })
  const moving = useAction({
    // A successful request is not repeated: the dialog closes, and the next opening gets another key.
    run: (quota: number) => transferEarnings(quota, requestKeys.keyFor({ opening, quota })),
    done: ({ message }) => message,
    stale: ['user'],
  })

  async function submit({ quota }: { quota: number | undefined }) {
    if (quota !== undefined && quota >= minimum) return moving.mutateAsync(quota)
    const problem = t('personal.transferMinimum', { minimum: status ? formatQuota(minimum, status) : minimum })
    Message.error(problem)
    throw new Error(problem) // keeps the dialog open
  }

  return (
    <FormDialog<{ quota: number }>
      title={t('personal.transferTitle')}
      visible={visible}
      form={form}
      initialValues={{ quota: offered.quota }}
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
        <QuotaInput max={offered.quota} />
      </Field>
    </FormDialog>
  )
}
