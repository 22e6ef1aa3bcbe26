import Radio from '@arco-design/web-react/es/Radio'
import Select from '@arco-design/web-react/es/Select'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { FilterBar } from '../../components/filter-bar.tsx'
import { TimeRangePicker } from '../../components/time-range-picker.tsx'
import { chosenRange } from '../logs/log-filters.ts'
import { GRANULARITIES } from './buckets.ts'
import { type Asked, type DashboardFilters, METRICS, RANGES, type RangeName } from './dashboard-filters.ts'

interface Props {
  filters: DashboardFilters
  asked: Asked
  onFilter: (change: Partial<DashboardFilters>) => void
  onClear: (() => void) | undefined
  /** Administrators can view all users, or one user. */
  everybody: boolean
  /** Further controls, first. */
  children?: ReactNode
}

interface Choice {
  value: string
  text: string
  hint?: string | undefined
  disabled?: boolean
}

function Choices({
  label,
  value,
  choices,
  onChange,
}: {
  label: string
  value: string
  choices: readonly Choice[]
  onChange: (value: string) => void
}) {
  return (
    <Radio.Group type="button" value={value} aria-label={label} onChange={onChange}>
      {choices.map(({ value, text, hint, disabled = false }) => (
        <Radio key={value} value={value} disabled={disabled}>
          <span title={hint}>{text}</span>
        </Radio>
      ))}
    </Radio.Group>
  )
}

/** Controls for user, time range, grouping and metric. */
export function DashboardBar({ filters, asked, onFilter, onClear, everybody, children }: Props) {
  const { t } = useTranslation()
  const controls: ReactNode = (
    <>
      {children}
      {everybody && (
        <Choices
          label={t('dashboard.scope')}
          value={asked.ofAll ? 'all' : filters.username ? '' : 'own'}
          choices={[
            { value: 'all', text: t('dashboard.scopeAll') },
            { value: 'own', text: t('dashboard.scopeOwn') },
          ]}
          onChange={(scope) => onFilter({ scope: scope === 'own' ? 'own' : '', username: '' })}
        />
      )}
      <Choices
        label={t('dashboard.rangeLabel')}
        value={asked.range ?? ''}
        choices={(Object.keys(RANGES) as RangeName[]).map((value) => ({ value, text: t(`dashboard.range.${value}`) }))}
        onChange={(range) => onFilter({ range, from: '', to: '', by: '' })}
      />
      <TimeRangePicker
        value={chosenRange(filters) ?? { from: undefined, to: undefined }}
        onChange={({ from, to }) => onFilter({ from: String(from ?? ''), to: String(to ?? ''), range: '' })}
        shortcuts={[]}
      />
      <Choices
        label={t('dashboard.granularity')}
        value={asked.granularity}
        choices={GRANULARITIES.map((name) => {
          const refused = name === 'hour' && asked.isHourlyTooLong
          return {
            value: name,
            text: t(`dashboard.${name}`),
            disabled: refused,
            hint: refused ? t('dashboard.hourTooLong') : undefined,
          }
        })}
        onChange={(by) => onFilter({ by })}
      />
      <Choices
        label={t('dashboard.metric')}
        value={asked.metric}
        choices={METRICS.map((value) => ({ value, text: t(`dashboard.metrics.${value}`) }))}
        onChange={(metric) => onFilter({ metric })}
      />
      <Select
        className="dashboard-grouping"
        value={asked.by}
        aria-label={t('dashboard.groupBy')}
        onChange={(group: string) => onFilter({ group })}
        options={asked.groupings.map((value) => ({
          value,
          label: t('dashboard.groupByName', { name: t(`dashboard.grouping.${value}`) }),
        }))}
      />
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
