import Radio from '@arco-design/web-react/es/Radio'
import Select from '@arco-design/web-react/es/Select'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { FilterBar } from '../../components/filter-bar.tsx'
import { TimeRangePicker } from '../../components/time-range-picker.tsx'
import { selectedRange } from '../logs/log-filters.ts'
import { GRANULARITIES } from './buckets.ts'
import { type DashboardFilters, type DashboardSelection, METRICS, RANGES, type RangeName } from './dashboard-filters.ts'

interface Props {
  filters: DashboardFilters
  selection: DashboardSelection
  onFilter: (change: Partial<DashboardFilters>) => void
  onClear: (() => void) | undefined
  /** True for administrators, who can view all users or one user. */
  allUsers: boolean
  /** More controls, which are shown before the other controls. */
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
export function DashboardBar({ filters, selection, onFilter, onClear, allUsers, children }: Props) {
  const { t } = useTranslation()
  return (
    <FilterBar<string>
      fields={allUsers ? [{ name: 'username', label: t('dashboard.username') }] : []}
      values={filters}
      onSearch={onFilter}
      onClear={onClear}
    >
      {children}
      {allUsers && (
        <Choices
          label={t('dashboard.scope')}
          value={selection.ofAll ? 'all' : filters.username ? '' : 'own'}
          choices={[
            { value: 'all', text: t('dashboard.scopeAll') },
            { value: 'own', text: t('dashboard.scopeOwn') },
          ]}
          onChange={(scope) => onFilter({ scope: scope === 'own' ? 'own' : '', username: '' })}
        />
      )}
      <Choices
        label={t('dashboard.rangeLabel')}
        value={selection.range ?? ''}
        choices={(Object.keys(RANGES) as RangeName[]).map((value) => ({ value, text: t(`dashboard.range.${value}`) }))}
        onChange={(range) => onFilter({ range, from: '', to: '', by: '' })}
      />
      <TimeRangePicker
        value={selectedRange(filters) ?? { from: undefined, to: undefined }}
        onChange={({ from, to }) => onFilter({ from: String(from ?? ''), to: String(to ?? ''), range: '' })}
        shortcuts={[]}
      />
      <Choices
        label={t('dashboard.granularity')}
        value={selection.granularity}
        choices={GRANULARITIES.map((name) => {
          const tooLong = name === 'hour' && selection.isHourlyTooLong
          return {
            value: name,
            text: t(`dashboard.${name}`),
            disabled: tooLong,
            hint: tooLong ? t('dashboard.hourTooLong') : undefined,
          }
        })}
        onChange={(by) => onFilter({ by })}
      />
      <Choices
        label={t('dashboard.metric')}
        value={selection.metric}
        choices={METRICS.map((value) => ({ value, text: t(`dashboard.metrics.${value}`) }))}
        onChange={(metric) => onFilter({ metric })}
      />
      <Select
        className="dashboard-grouping"
        value={selection.by}
        aria-label={t('dashboard.groupBy')}
        onChange={(group: string) => onFilter({ group })}
        options={selection.groupings.map((value) => ({
          value,
          label: t('dashboard.groupByName', { name: t(`dashboard.grouping.${value}`).toLowerCase() }),
        }))}
      />
    </FilterBar>
  )
}
