import Button from '@arco-design/web-react/es/Button'
import Descriptions from '@arco-design/web-react/es/Descriptions'
import Tag from '@arco-design/web-react/es/Tag'
import { IconCopy } from '@arco-design/web-react/icon'
import type { TFunction } from 'i18next'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { getReceipt, isChannelTest } from '../../api/logs.ts'
import { useStatus } from '../../api/status.ts'
import { Quota } from '../../components/quota.tsx'
import { RequestLink } from '../../components/request-link.tsx'
import { useAction } from '../../components/saving.ts'
import { useNarrow } from '../../layout/narrow.ts'
import { isCharge, retryText } from './columns.tsx'
import { useExactQuota } from './exact-quota.ts'
import { inSeconds } from './latency.ts'
import { endText, type LogDetails, readDetails } from './log-details.ts'
import { exactDollars, rowPriceOf } from './price.ts'
import { priceComputationText } from './price-text.ts'
import type { KeyedRow } from './use-logs.ts'

interface Props {
  row: KeyedRow
  allUsers: boolean
  onCopy: (text: string) => void
}

type Item = [label: string, value: ReactNode]

/** All details of a row, and the computation of its price. */
export function ExpandedRow({ row, allUsers, onCopy }: Props) {
  const { t } = useTranslation()
  const narrow = useNarrow()
  const { data: status } = useStatus()
  const formatQuota = useExactQuota()
  const details = readDetails(row.other)
  const price = isCharge(row) && status ? rowPriceOf(row, details, status.quota_per_unit) : undefined
  const shortItems: Item[] = [
    ...originItems(t, row, allUsers),
    ...ratioItems(t, details),
    ...tokenItems(t, details),
    ...processingItems(t, details),
    ...present([
      [t('log.retry'), allUsers && details.triedChannels.length > 0 && retryText(t, row)],
      [t('log.row.key'), details.keyName],
      [t('log.row.words'), details.sensitiveWords.length > 0 && details.sensitiveWords.join(', ')],
    ]),
  ]
  const priceText = price && (
    <>
      {priceComputationText(t, price)} <span className="log-note">{t('log.price.note')}</span>
    </>
  )
  const charged = (
    <span className="log-charged">
      <span className="number">{isChannelTest(row) ? t('log.notCharged') : formatQuota(row.quota)}</span>
      {allUsers && price && <ReceiptCheck id={row.id} />}
    </span>
  )
  const request = (
    <>
      <RequestLink id={row.request_id} />
      <Button
        size="mini"
        type="text"
        icon={<IconCopy />}
        aria-label={t('log.copyRequest')}
        onClick={() => onCopy(row.request_id)}
      />
    </>
  )
  const longItems = present([
    [t('log.row.content'), row.content !== '' && !isChannelTest(row) && row.content],
    [t('log.row.price'), priceText],
    [t('log.row.charged'), isCharge(row) && charged],
    [t('request.id'), row.request_id !== '' && request],
  ])
  return (
    <div className="log-details">
      <Descriptions size="small" column={narrow ? 1 : 3} data={descriptionsOf(shortItems)} />
      <Descriptions size="small" column={1} data={descriptionsOf(longItems)} />
    </div>
  )
}

const descriptionsOf = (items: Item[]) => items.map(([label, value]) => ({ key: label, label, value }))

function originItems(t: TFunction, row: KeyedRow, allUsers: boolean): Item[] {
  const items: Item[] = []
  if (allUsers && row.channel > 0) {
    items.push([t('log.row.channel'), row.channel_name ? `${row.channel} - ${row.channel_name}` : row.channel])
  }
  const { upstreamModel } = readDetails(row.other)
  if (upstreamModel) items.push([t('log.row.model'), row.model_name], [t('log.row.upstreamModel'), upstreamModel])
  return items
}

function ratioItems(t: TFunction, details: LogDetails): Item[] {
  const { modelPrice } = details
  const byUsage: Item[] = [
    [t('log.row.modelRatio'), details.modelRatio],
    [t('log.row.completionRatio'), details.completionRatio],
    [t('log.row.cacheRatio'), details.cacheRatio],
    [t('log.row.writtenRatio'), details.cacheWriteRatio],
    [t('log.row.imageRatio'), details.imageRatio],
    [t('log.row.reasoningRatio'), details.reasoningRatio],
    [t('log.row.audioRatio'), details.audioRatio],
    [t('log.row.audioCompletionRatio'), details.audioCompletionRatio],
  ]
  const perCall: Item[] = [[t('log.row.modelPrice'), modelPrice !== undefined && exactDollars(modelPrice)]]
  return present([
    ...(modelPrice === undefined ? byUsage : perCall),
    [t('log.row.groupRatio'), details.groupRatio],
    [t('log.row.priceConditions'), details.priceConditions],
  ])
}

function tokenItems(t: TFunction, details: LogDetails): Item[] {
  return present([
    [t('log.row.cacheTokens'), details.cacheTokens],
    [t('log.row.writtenTokens'), details.cacheWriteTokens],
    [t('log.row.reasoningTokens'), details.reasoningTokens],
    [t('log.row.imageTokens'), details.imageTokens],
    [t('log.row.tools'), details.toolCalls.map(({ tool, calls }) => `${tool} × ${calls}`).join(', ') || undefined],
    [t('log.row.textInput'), details.textInput],
    [t('log.row.textOutput'), details.textOutput],
    [t('log.row.audioInput'), details.audioInput],
    [t('log.row.audioOutput'), details.audioOutput],
  ])
}

/** Returns the items about the request's mode, timing, hold and early end. */
function processingItems(t: TFunction, details: LogDetails): Item[] {
  const { firstTokenMs, holdQuota, endReason } = details
  return present([
    [t('log.row.mode'), details.isRealtime && t('log.row.realtime')],
    [t('log.row.reasoningEffort'), details.reasoningEffort],
    [
      t('log.row.firstToken'),
      firstTokenMs !== undefined && t('log.secondsShort', { seconds: inSeconds(firstTokenMs) }),
    ],
    [t('log.row.hold'), holdQuota !== undefined && <Quota value={holdQuota} />],
    [t('log.row.estimated'), details.isEstimated && t('log.row.estimatedYes')],
    [t('log.row.ended'), endReason !== undefined && endText(t, endReason)],
  ])
}

/** Returns the items whose value is neither undefined nor false. */
const present = (items: Item[]) => items.filter(([, value]) => value !== undefined && value !== false)

/** A button that makes the server recompute a row's price. Shows whether the price equals the charge. */
function ReceiptCheck({ id }: { id: number }) {
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
