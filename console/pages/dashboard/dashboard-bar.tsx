import Radio from '@arco-design/web-react/es/Radio'
import { useTranslation } from 'react-i18next'
import { FilterBar } from '../../components/filter-bar.tsx'
import { TimeRangePicker } from '../../components/time-range-picker.tsx'
import { chosenRange } from '../logs/log-filters.ts'
import { GRANULARITIES, type Granularity, isHourlyTooLong, usualRange } from './buckets.ts'
import type { Asked, DashboardFilters } from './dashboard-filters.ts'

interface Props {
  filters: DashboardFilters
  asked: Asked
  onFilter: (change: Partial<DashboardFilters>) => void
  onClear: (() => void) | undefined
  /** Administrators may look at one user. */
  everybody: boolean
}

const SHORTCUTS = { day: 'hour', week: 'day', month: 'week' } as const satisfies Record<string, Granularity>
const SHORTCUT_NAMES = ['day', 'week', 'month'] as const

export function DashboardBar({ filters, asked, onFilter, onClear, everybody }: Props) {
  const { t } = useTranslation()
  const tooLong = isHourlyTooLong(asked.range)
  const controls = (
    <>
      <TimeRangePicker
        value={chosenRange(filters) ?? { from: undefined, to: undefined }}
        onChange={({ from, to }) => onFilter({ from: String(from ?? ''), to: String(to ?? '') })}
        shortcuts={SHORTCUT_NAMES.map((name) => ({
          text: t(`dashboard.range.${name}`),
          range: () => {
            const { start_timestamp, end_timestamp } = usualRange(SHORTCUTS[name], Date.now())
            return { from: start_timestamp, to: end_timestamp }
          },
        }))}
      />
      <Radio.Group
        type="button"
        value={asked.granularity}
        aria-label={t('dashboard.granularity')}
        onChange={(by: Granularity) => onFilter({ by })}
      >
        {GRANULARITIES.map((name) => {
          const refused = name === 'hour' && tooLong
          return (
            <Radio key={name} value={name} disabled={refused}>
              <span title={refused ? t('dashboard.hourTooLong') : undefined}>{t(`dashboard.${name}`)}</span>
            </Radio>
          )
        })}
      </Radio.Group>
    </>
  )
  if (!everybody) return <div className="filter-bar">{controls}</div>
  return (
    <FilterBar<string>
      fields={[{ name: 'username', label: t('dashboard.username') }]}
      values={filters}
      onSearch={onFilter}
      onClear={onClear}
    >
      {controls}
    </FilterBar>
  )
}
