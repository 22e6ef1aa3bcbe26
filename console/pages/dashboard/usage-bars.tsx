import { useTranslation } from 'react-i18next'
import { Count } from '../../components/count.tsx'
import { Quota } from '../../components/quota.tsx'
import type { ModelUsage } from './model-usage.ts'

interface Props {
  sums: readonly ModelUsage[]
  /** By name of the model, as the charts have them. */
  colors: Record<string, string>
}

/** Models by what they cost, each with a bar that shows its share of the dearest. */
export function UsageBars({ sums, colors }: Props) {
  const { t } = useTranslation()
  const largest = Math.max(...sums.map(({ quota }) => quota))
  return (
    <table className="usage">
      <thead>
        <tr>
          <th scope="col">{t('log.model')}</th>
          <th scope="col">{t('dashboard.calls')}</th>
          <th scope="col">{t('dashboard.tokens')}</th>
          <th scope="col">{t('dashboard.quota')}</th>
        </tr>
      </thead>
      <tbody>
        {sums.map(({ model, count, tokens, quota }) => (
          <tr key={model}>
            <th scope="row">
              <span className="usage-model">{model}</span>
              <span
                className="usage-bar"
                style={{ width: `${largest ? (quota / largest) * 100 : 0}%`, background: colors[model] }}
              />
            </th>
            <td>
              <Count value={count} />
            </td>
            <td>
              <Count value={tokens} />
            </td>
            <td>
              <Quota value={quota} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
