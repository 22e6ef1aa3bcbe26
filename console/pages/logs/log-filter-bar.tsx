import Message from '@arco-design/web-react/es/Message'
import Select from '@arco-design/web-react/es/Select'
import { useTranslation } from 'react-i18next'
import { LOG_TYPE } from '../../api/logs.ts'
import { FilterBar } from '../../components/filter-bar.tsx'
import { TimeRangePicker } from '../../components/time-range-picker.tsx'
import { chosenRange, LOG_RANGES, type LogFilters, rangeOf, wholeNumber } from './log-filters.ts'

interface Props {
  filters: LogFilters
  /** Number of active filters. */
  count: number
  onFilter: (change: Partial<LogFilters>) => void
  onClear: (() => void) | undefined
  /** Administrators can also filter by user and channel. */
  everybody: boolean
}

const RANGES = Object.keys(LOG_RANGES) as (keyof typeof LOG_RANGES)[]

export function LogFilterBar({ filters, count, onFilter, onClear, everybody }: Props) {
  const { t } = useTranslation()

  function search(values: Record<string, string>) {
    const { channel = '' } = values
    if (channel !== '' && !wholeNumber(channel)) Message.error(t('log.filter.badChannel'))
    else onFilter(values)
  }

  return (
    <FilterBar<string>
      fields={[
        { name: 'token_name', label: t('log.filter.token') },
        { name: 'model_name', label: t('log.filter.model') },
        { name: 'group', label: t('log.filter.group') },
        ...(everybody
          ? ([
              { name: 'username', label: t('log.filter.username') },
              { name: 'channel', label: t('log.filter.channel') },
            ] as const)
          : []),
        { name: 'request_id', label: t('log.filter.request') },
      ]}
      values={filters}
      count={count}
      onSearch={search}
      onClear={onClear}
    >
      <TimeRangePicker
        value={chosenRange(filters) ?? { from: undefined, to: undefined }}
        onChange={({ from, to }) => onFilter({ from: String(from ?? ''), to: String(to ?? '') })}
        shortcuts={RANGES.map((name) => ({ text: t(`log.range.${name}`), range: () => rangeOf(name, new Date()) }))}
      />
      <Select
        value={filters.type || '0'}
        onChange={(type: string) => onFilter({ type: type === '0' ? '' : type })}
        aria-label={t('log.filter.type')}
        options={[
          { value: '0', label: t('log.type.all') },
          ...(['topup', 'consume', 'manage', 'system', 'error'] as const).map((name) => ({
            value: String(LOG_TYPE[name]),
            label: t(`log.type.${name}`),
          })),
        ]}
      />
    </FilterBar>
  )
}
