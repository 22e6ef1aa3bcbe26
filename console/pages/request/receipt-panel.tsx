import Tag from '@arco-design/web-react/es/Tag'
import { useTranslation } from 'react-i18next'
import { useStatus } from '../../api/status.ts'
import type { RequestTrace } from '../../api/traces.ts'
import { useExactQuota } from '../logs/exact-quota.ts'
import { readDetails } from '../logs/log-details.ts'
import { rowPriceOf } from '../logs/price.ts'
import { priceComputationText } from '../logs/price-text.ts'

/** The cost of a request, and the computation of the cost if there is a receipt. */
export function ReceiptPanel({ trace: { receipt, charged } }: { trace: RequestTrace }) {
  const { t } = useTranslation()
  const { data: status } = useStatus()
  const exact = useExactQuota()
  const price = receipt && status && rowPriceOf(receipt.log, readDetails(receipt.log.other), status.quota_per_unit)
  return (
    <section className="panel" aria-labelledby="request-receipt">
      <h2 id="request-receipt">{t('request.receipt')}</h2>
      {!receipt && <p className="panel-note">{charged === 0 ? t('request.free') : exact(charged)}</p>}
      {receipt && (
        <dl className="request-receipt">
          <dt>{t('log.prompt')}</dt>
          <dd className="number">{receipt.usage.promptTokens.toLocaleString('en-US')}</dd>
          <dt>{t('log.completion')}</dt>
          <dd className="number">{receipt.usage.completionTokens.toLocaleString('en-US')}</dd>
          {price && (
            <>
              <dt>{t('log.row.price')}</dt>
              <dd>{priceComputationText(t, price)}</dd>
            </>
          )}
          <dt>{t('log.row.charged')}</dt>
          <dd>
            <span className="number">{exact(receipt.charged)}</span>{' '}
            <Tag size="small" color={receipt.equal ? 'green' : 'red'}>
              {t(receipt.equal ? 'log.receipt.equal' : 'log.receipt.different', {
                recomputed: exact(receipt.recomputed),
                charged: exact(receipt.charged),
              })}
            </Tag>
          </dd>
        </dl>
      )}
    </section>
  )
}
