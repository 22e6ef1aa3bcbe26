import Button from '@arco-design/web-react/es/Button'
import Input from '@arco-design/web-react/es/Input'
import Message from '@arco-design/web-react/es/Message'
import Modal from '@arco-design/web-react/es/Modal'
import { IconGift, IconLink } from '@arco-design/web-react/icon'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ApiError } from '../../api/client.ts'
import { useStatus } from '../../api/status.ts'
import { redeem } from '../../api/wallet.ts'
import { formatQuota } from '../../components/amounts.ts'
import { useOnce } from '../../components/saving.ts'
import { showError } from '../../components/show-error.ts'

/** A form that redeems a code, and a button that opens the page where codes are sold. */
export function RedeemPanel() {
  const { t } = useTranslation()
  const id = useId()
  const queryClient = useQueryClient()
  const { data: status } = useStatus()
  const [code, setCode] = useState('')

  const redeemAction = useMutation({
    mutationFn: redeem,
    onSuccess: (quota, redeemed) => {
      // If the user has typed another code meanwhile, keep that code.
      setCode((current) => (current.trim() === redeemed ? '' : current))
      Modal.success({
        title: t('wallet.redeemed'),
        content: t('wallet.redeemedQuota', { quota: status ? formatQuota(quota, status) : quota }),
        okText: t('action.close'),
      })
      return queryClient.invalidateQueries({ queryKey: ['user'] })
    },
    onError: (error) => showError(t, error, (reason) => (isRejected(error) ? reason : t('wallet.requestFailed'))),
  })

  const send = useOnce(redeemAction.mutateAsync)

  function submit(event: FormEvent) {
    event.preventDefault()
    if (redeemAction.isPending) return
    if (code.trim() === '') Message.error(t('wallet.codeMissing'))
    else send(code.trim())
  }

  function openShop() {
    if (status?.top_up_link) window.open(status.top_up_link, '_blank', 'noopener')
    else Message.error(t('wallet.noLink'))
  }

  return (
    <section className="panel" aria-labelledby={id}>
      <h2 id={id}>{t('wallet.redeem')}</h2>
      <form className="wallet-form" onSubmit={submit}>
        <Input
          value={code}
          onChange={setCode}
          prefix={<IconGift />}
          placeholder={t('wallet.codeHint')}
          aria-label={t('wallet.code')}
          allowClear
        />
        <div className="wallet-buttons">
          <Button type="primary" htmlType="submit" loading={redeemAction.isPending}>
            {t('wallet.redeemButton')}
          </Button>
          <Button icon={<IconLink />} onClick={openShop}>
            {t('wallet.getCode')}
          </Button>
        </div>
      </form>
    </section>
  )
}

const isRejected = (error: unknown): boolean =>
  error instanceof ApiError && error.kind === 'refused' && error.message !== ''
