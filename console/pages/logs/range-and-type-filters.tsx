import Select from '@arco-design/web-react/es/Select'
import { useTranslation } from 'react-i18next'
import { LOG_TYPE } from '../../api/logs.ts'
import { TimeRangePicker } from '../../components/time-range-picker.tsx'
import { LOG_RANGE_STARTS, type LogFilters, logRangeOf, selectedRange } from './log-filters.ts'

type Filters = Pick<LogFilters, 'from' | 'to' | 'type'>

const RANGES = Object.keys(LOG_RANGE_STARTS) as (keyof typeof LOG_RANGE_STARTS)[]
const TYPES = ['topup', 'consume', 'manage', 'system', 'error'] as const

/** Filters of log rows by time range and type. */
export function RangeAndTypeFilters(props: { filters: Filters; onChange: (change: Partial<Filters>) => void }) {
  const { filters, onChange } = props
  const { t } = useTranslation()
  return (
    <>
      <TimeRangePicker
        value={selectedRange(filters) ?? { from: undefined, to: undefined }}
        onChange={({ from, to }) => onChange({ from: String(from ?? ''), to: String(to ?? '') })}
        shortcuts={RANGES.map((name) => ({ text: t(`log.range.${name}`), range: () => logRangeOf(name, new Date()) }))}
      />
      <Select
        value={filters.type || '0'}
        onChange={(type: string) => onChange({ type: type === '0' ? '' : type })}
        aria-label={t('log.filter.type')}
        options={[
          { value: '0', label: t('log.type.all') },
          ...TYPES.map((name) => ({ value: String(LOG_TYPE[name]), label: t(`log.type.${name}`) })),
        ]}
      />
    </>
  )
}
