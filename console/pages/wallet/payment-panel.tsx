import Alert from '@arco-design/web-react/es/Alert'
import Button from '@arco-design/web-react/es/Button'
import Form from '@arco-design/web-react/es/Form'
import InputNumber from '@arco-design/web-react/es/InputNumber'
import Message from '@arco-design/web-react/es/Message'
import Skeleton from '@arco-design/web-react/es/Skeleton'
import Spin from '@arco-design/web-react/es/Spin'
import { IconAlipayCircle, IconWechatpay } from '@arco-design/web-react/icon'
import { useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ApiError } from '../../api/client.ts'
import { failureText } from '../../api/failure.ts'
import type { Status } from '../../api/status.ts'
import { orderTopUp, type PaymentMethod, type PaymentSubmission } from '../../api/wallet.ts'
import { useConfirm } from '../../components/confirm.tsx'
import { LoadFailure } from '../../components/load-failure.tsx'
import { useAction } from '../../components/saving.ts'
import { leastAmount, useAmountToPay } from './use-wallet.ts'

interface PanelProps {
  /** Undefined until the status, which has the payment options, is loaded. */
  status: Status | undefined
  error: unknown
  onRetry: () => void
}

/** The form for online top-ups, with an amount, its price, and the two payment methods. */
export function PaymentPanel({ status, error, onRetry }: PanelProps) {
  const { t } = useTranslation()
  const id = useId()
  return (
    <section className="panel" aria-labelledby={id}>
      <h2 id={id}>{t('wallet.online')}</h2>
      {status?.enable_online_topup && <Payment status={status} />}
      {status?.enable_online_topup === false && <Alert type="info" content={t('wallet.onlineOff')} />}
      {!status && (error ? <LoadFailure error={error} onRetry={onRetry} /> : <Skeleton animation text={{ rows: 3 }} />)}
    </section>
  )
}

function Payment({ status }: { status: Status }) {
  const { t } = useTranslation()
  const confirm = useConfirm()
  const minimum = leastAmount(status)
  const [amount, setAmount] = useState(Math.max(1, minimum))
  const isTooLow = amount < minimum
  const { data: money, error } = useAmountToPay(isTooLow ? undefined : amount)
  const payAction = useAction({
    run: async ({ method, tab }: { method: PaymentMethod; tab: PaymentTab }) => {
      try {
        return await orderTopUp(amount, method)
      } catch (error) {
        tab.close()
        throw error
      }
    },
    after: (form, { tab }) => tab.submit(form),
    stale: ['wallet'],
  })
  const problem = isTooLow ? t('wallet.tooLow', { least: minimum }) : error && lookupText(error)

  function lookupText(error: Error): string {
    const rejected = error instanceof ApiError && error.kind === 'refused'
    return rejected ? t('failure.status', { message: error.message }) : failureText(t, error)
  }

  function confirmPayment(method: PaymentMethod) {
    if (problem) return void Message.error(problem)
    if (money === undefined || payAction.isPending) return
    confirm({
      title: t('wallet.confirm'),
      content: (
        <dl className="wallet-order">
          <dt>{t('wallet.amount')}</dt>
          <dd>{amount}</dd>
          <dt>{t('wallet.toPay')}</dt>
          <dd>{t('wallet.money', { money })}</dd>
          <dt>{t('wallet.method')}</dt>
          <dd>{t(`wallet.methods.${method}`)}</dd>
        </dl>
      ),
      okText: t('wallet.pay'),
      onOk: () => payAction.mutateAsync({ method, tab: openPaymentTab() }),
    })
  }

  return (
    <Form layout="vertical" onSubmit={() => confirmPayment('zfb')}>
      <Form.Item
        label={t('wallet.amount')}
        extra={
          status.display_in_currency
            ? t('wallet.amountDollars', { least: minimum })
            : t('wallet.amountQuota', { least: minimum })
        }
        {...(problem && { validateStatus: 'error' as const, help: <span role="alert">{problem}</span> })}
      >
        <InputNumber
          value={amount}
          onChange={(input: number | undefined) => setAmount(Math.max(1, Math.trunc(input ?? 1)))}
          min={1}
          max={Number.MAX_SAFE_INTEGER}
          precision={0}
          aria-label={t('wallet.amount')}
        />
      </Form.Item>
      <p className="wallet-money" aria-live="polite">
        {t('wallet.toPay')}: {money === undefined ? problem ? '–' : <Spin size={14} /> : t('wallet.money', { money })}
      </p>
      <div className="wallet-buttons">
        <Button
          type="primary"
          icon={<IconAlipayCircle />}
          loading={payAction.isPending}
          onClick={() => confirmPayment('zfb')}
        >
          {t('wallet.methods.zfb')}
        </Button>
        <Button icon={<IconWechatpay />} loading={payAction.isPending} onClick={() => confirmPayment('wx')}>
          {t('wallet.methods.wx')}
        </Button>
      </div>
    </Form>
  )
}

/** The tab for the payment gateway. */
interface PaymentTab {
  submit: (form: PaymentSubmission) => void
  /** Closes the tab. Call this if the order failed, because then there is nothing to pay. */
  close: () => void
}

/**
 * Opens a tab for the payment, so that this page remains open. Call this in the click handler before any `await`;
 * otherwise browsers block the tab as a popup. If the tab is still blocked, the payment opens in this tab.
 */
function openPaymentTab(): PaymentTab {
  const name = `payment-${Date.now()}`
  const tab = window.open('', name)
  if (!tab) return { submit: (form) => postForm(form, '_self'), close: () => {} }
  tab.opener = null // the payment gateway must not access this page
  return { submit: (form) => postForm(form, name), close: () => tab.close() }
}

function postForm({ url, fields }: PaymentSubmission, target: string): void {
  const form = document.createElement('form')
  form.action = url
  form.method = 'POST'
  form.target = target
  for (const [name, value] of Object.entries(fields)) {
    const input = document.createElement('input')
    input.type = 'hidden'
    input.name = name
    input.value = value
    form.append(input)
  }
  document.body.append(form)
  // If the form has a field named "submit", `form.submit` is that field instead of the method.
  HTMLFormElement.prototype.submit.call(form)
  form.remove()
}
