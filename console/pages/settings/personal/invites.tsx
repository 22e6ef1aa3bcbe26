import Button from '@arco-design/web-react/es/Button'
import Input from '@arco-design/web-react/es/Input'
import { IconCopy, IconSwap } from '@arco-design/web-react/icon'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { failureText } from '../../../api/failure.ts'
import { useStatus } from '../../../api/status.ts'
import { getInviteCode, type User } from '../../../api/users.ts'
import { formatQuota } from '../../../components/amounts.ts'
import { useCopy } from '../../../components/copy.tsx'
import { LabeledFigure } from '../../../components/labeled-figure.tsx'
import { Quota } from '../../../components/quota.tsx'
import { TransferEarningsDialog } from './transfer-dialog.tsx'

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
          <Button onClick={() => void code.refetch()}>{t('page.retry')}</Button>
        ) : (
          <Button type="primary" icon={<IconCopy />} disabled={!link} onClick={() => void copy(link)}>
            {t('personal.copyLink')}
          </Button>
        )}
      </div>
      <dl className="personal-figures">
        <LabeledFigure label={t('personal.pending')}>
          <Quota value={self.aff_quota} />
        </LabeledFigure>
        <LabeledFigure label={t('personal.earned')}>
          <Quota value={self.aff_history_quota} />
        </LabeledFigure>
        <LabeledFigure label={t('personal.invited')}>{self.aff_count}</LabeledFigure>
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
