import Button from '@arco-design/web-react/es/Button'
import Input from '@arco-design/web-react/es/Input'
import { IconCopy, IconSwap } from '@arco-design/web-react/icon'
import { useQuery } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { failureText } from '../../../api/failure.ts'
import { createRequestKeys } from '../../../api/request-keys.ts'
import { useStatus } from '../../../api/status.ts'
import { getInviteCode, transferEarnings, type User } from '../../../api/users.ts'
import { formatQuota } from '../../../components/amounts.ts'
import { useCopy } from '../../../components/copy.tsx'
import { Field } from '../../../components/form/field.tsx'
import { FormDialog } from '../../../components/form/form-dialog.tsx'
import { useOpenings } from '../../../components/form/openings.ts'
import { QuotaInput } from '../../../components/form/quota-input.tsx'
import { LabeledFigure } from '../../../components/labeled-figure.tsx'
import { Quota } from '../../../components/quota.tsx'
import { useAction } from '../../../components/saving.ts'
import { rejectInput } from '../../../components/show-error.ts'

/** The user's invite link, and the earnings from invites. */
export function Invites({ self }: { self: User }) {
  const { t } = useTranslation()
  const copy = useCopy()
  const code = useQuery({ queryKey: ['user', 'aff'], queryFn: ({ signal }) => getInviteCode(signal) })
  const { data: status } = useStatus()
  const [isTransferOpen, setTransferring] = useState(false)
  const link = code.data ? `${window.location.origin}/register?aff=${encodeURIComponent(code.data)}` : ''
  const isTooLittle = status !== undefined && self.aff_quota < status.quota_per_unit
  return (
    <section className="panel" aria-labelledby="invites">
      <h2 id="invites">{t('personal.invites')}</h2>
      <div className="with-button">
        <Input
          readOnly
          value={link}
          placeholder={code.isError ? failureText(t, code.error) : t('page.loading')}
          aria-label={t('personal.inviteLink')}
        />
        {code.isError ? (
          <Button onClick={() => void code.refetch()}>{t('table.retry')}</Button>
        ) : (
          <Button type="primary" icon={<IconCopy />} disabled={!link} onClick={() => void copy(link)}>
            {t('personal.copyLink')}
          </Button>
        )}
      </div>
      <dl className="personal-figures">
        <LabeledFigure label={t('user.earnings')}>
          <Quota value={self.aff_quota} />
        </LabeledFigure>
        <LabeledFigure label={t('personal.earned')}>
          <Quota value={self.aff_history_quota} />
        </LabeledFigure>
        <LabeledFigure label={t('user.invited')}>{self.aff_count}</LabeledFigure>
      </dl>
      <Button
        icon={<IconSwap />}
        disabled={isTooLittle}
        aria-describedby={isTooLittle ? 'transfer-minimum' : undefined}
        onClick={() => setTransferring(true)}
      >
        {t('personal.transfer')}
      </Button>
      {isTooLittle && (
        <p id="transfer-minimum" className="panel-note" style={{ marginTop: 8 }}>
          {t('personal.transferMinimum', { minimum: formatQuota(status.quota_per_unit, status) })}
        </p>
      )}
      <TransferEarningsDialog
        available={self.aff_quota}
        visible={isTransferOpen}
        onClose={() => setTransferring(false)}
      />
    </section>
  )
}

interface TransferEarningsDialogProps {
  /** Quota of the earnings that are not transferred yet. */
  available: number
  visible: boolean
  onClose: () => void
}

/** A dialog that transfers invite earnings to the balance. The minimum is one unit, which is one dollar of quota. */
function TransferEarningsDialog({ available, visible, onClose }: TransferEarningsDialogProps) {
  const { t } = useTranslation()
  const { data: status } = useStatus()
  const minimum = status?.quota_per_unit ?? 0
  const opening = useOpenings(visible)
  const requestKeys = useMemo(createRequestKeys, [])
  // If a reply is lost, less may be available afterward. Keep the amount, so that a retry sends the same request.
  const [initialAmount, setInitialAmount] = useState({ opening, quota: available })
  if (initialAmount.opening !== opening) setInitialAmount({ opening, quota: available })
  const transferAction = useAction({
    // The key depends on the opening. After a success, the dialog closes, so the next transfer has another key.
    run: (quota: number) => transferEarnings(quota, requestKeys.keyFor({ opening, quota })),
    done: ({ message }) => message,
    stale: ['user'],
  })

  async function submit({ quota }: { quota: number | undefined }) {
    if (quota !== undefined && quota >= minimum) return transferAction.mutateAsync(quota)
    return rejectInput(t('personal.transferMinimum', { minimum: status ? formatQuota(minimum, status) : minimum }))
  }

  return (
    <FormDialog<{ quota: number }>
      title={t('personal.transferTitle')}
      visible={visible}
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
