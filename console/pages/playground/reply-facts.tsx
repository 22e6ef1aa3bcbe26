import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { listPriceDetails, listPrices } from '../../api/pricing.ts'
import { useStatus } from '../../api/status.ts'
import { Link } from '../../router/link.tsx'
import { formatPrice, modelPriceOf } from '../pricing/prices.ts'
import type { PlaygroundMessage } from './conversation.ts'

const MILLION = 1_000_000
const QUOTA_PER_UNIT = 500_000

/** A reply's tokens, cost, duration and request id, as far as they are known. */
export function ReplyFacts({ message }: { message: PlaygroundMessage }) {
  const { t } = useTranslation()
  const { usage, timing, requestId } = message
  const cost = useCost(message)
  const seconds = (ms: number) => t('playground.seconds', { value: (ms / 1000).toFixed(2) })
  const facts = [
    usage && t('playground.usage', { prompt: usage.promptTokens, completion: usage.completionTokens }),
    cost !== undefined && t('playground.cost', { cost: formatPrice(cost) }),
    timing?.firstMs !== undefined && t('playground.firstToken', { time: seconds(timing.firstMs) }),
    timing?.totalMs !== undefined && t('playground.total', { time: seconds(timing.totalMs) }),
  ].filter((fact) => typeof fact === 'string')
  if (facts.length === 0) return null
  return (
    <span className="message-note number">
      {facts.join(' · ')}
      {requestId && (
        <>
          {' · '}
          <Link to={`/request/${requestId}`}>{t('playground.request')}</Link>
        </>
      )}
    </span>
  )
}

/** Returns the cost in dollars at current prices. Undefined if the usage, the model's price or the group is unknown. */
function useCost({ model, group, usage }: PlaygroundMessage): number | undefined {
  const { data: status } = useStatus()
  const isCounted = model !== undefined && usage !== undefined
  const prices = useQuery({
    queryKey: ['pricing', 'list'],
    queryFn: ({ signal }) => listPrices(signal),
    enabled: isCounted,
  })
  const details = useQuery({
    queryKey: ['pricing', 'details'],
    queryFn: async ({ signal }) => new Map((await listPriceDetails(signal)).map((row) => [row.model_name, row])),
    enabled: isCounted,
  })
  const row = prices.data?.prices.find(({ model_name }) => model_name === model)
  const ratio = prices.data?.groups.find(({ name }) => name === group)?.ratio
  if (!row || !usage || model === undefined || ratio === undefined) return undefined
  const quotaPerUnit = status?.quota_per_unit ?? QUOTA_PER_UNIT
  const price = modelPriceOf(row, { groupRatio: ratio, quotaPerUnit, detail: details.data?.get(model) })
  if ('perCall' in price) return price.perCall
  const cached = Math.min(usage.cachedTokens, usage.promptTokens)
  const prompt = (usage.promptTokens - cached) * price.prompt + cached * (price.cached ?? price.prompt)
  return (prompt + usage.completionTokens * price.completion) / MILLION
}
