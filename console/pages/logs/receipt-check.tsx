import Button from '@arco-design/web-react/es/Button'
import Tag from '@arco-design/web-react/es/Tag'
import { useTranslation } from 'react-i18next'
import { getReceipt } from '../../api/logs.ts'
import { useAction } from '../../components/saving.ts'
import { useExactQuota } from './exact-quota.ts'

/** A button that makes the server recompute a row's price. Shows whether the price equals the charge. */
export function ReceiptCheck({ id }: { id: number }) {
  const { t } = useTranslation()
  const format = useExactQuota()
  const checkAction = useAction({ run: () => getReceipt(id) })
  const receipt = checkAction.data
  const chargeText = receipt?.isCharged ? 'equal' : 'test'
  return (
    <>
      <Button size="mini" loading={checkAction.isPending} onClick={() => checkAction.mutate()}>
        {t('log.receipt.open')}
      </Button>
      <span role="status">
        {receipt && (
          <Tag size="small" color={receipt.equal ? 'green' : 'red'}>
            {t(`log.receipt.${receipt.equal ? chargeText : 'different'}`, {
              recomputed: format(receipt.recomputed),
              charged: format(receipt.charged),
            })}
          </Tag>
        )}
      </span>
    </>
  )
}
