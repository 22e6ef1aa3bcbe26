import { useTranslation } from 'react-i18next'
import type { UsageRow } from '../../api/usage.ts'
import { Count } from '../../components/count.tsx'
import { Quota } from '../../components/quota.tsx'
import { type ModelUsage, usageByModel } from './model-usage.ts'

const MODELS_MAX = 8

/** Models by what they cost, each with a bar that shows its share of the dearest. */
export function UsageBars({ rows }: { rows: UsageRow[] }) {
  const { t } = useTranslation()
  const { models, rest } = usageByModel(rows, MODELS_MAX)
  if (models.length === 0) return <p className="panel-note">{t('overview.noUsage')}</p>

  const lines = models.map((usage) => ({ ...usage, name: usage.model || t('overview.noModel') }))
  if (rest) lines.push({ ...rest, name: t('overview.otherModels', { count: rest.modelCount }) })
  const largest = Math.max(...lines.map(measure))
  return (
    <table className="usage">
      <thead>
        <tr>
          <th scope="col">{t('log.model')}</th>
          <th scope="col">{t('overview.requests')}</th>
          <th scope="col">{t('overview.tokens')}</th>
          <th scope="col">{t('log.cost')}</th>
        </tr>
      </thead>
      <tbody>
        {lines.map((line) => (
          <tr key={line.name}>
            <th scope="row">
              <span className="usage-model">{line.name}</span>
              <span className="usage-bar" style={{ width: `${largest ? (measure(line) / largest) * 100 : 0}%` }} />
            </th>
            <td>
              <Count value={line.count} />
            </td>
            <td>
              <Count value={line.tokens} />
            </td>
            <td>
              <Quota value={line.quota} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

const measure = (usage: ModelUsage) => usage.quota
