import Message from '@arco-design/web-react/es/Message'
import Select from '@arco-design/web-react/es/Select'
import { useTranslation } from 'react-i18next'
import { LOG_TYPE } from '../../api/logs.ts'
import { FilterBar } from '../../components/filter-bar.tsx'
import type { FilterState } from '../../components/paging.ts'
import { parseWholeNumber } from '../../components/task-list/time-filter.ts'
import { TimeRangePicker } from '../../components/time-range-picker.tsx'
import { LOG_RANGE_STARTS, type LogFilters, logRangeOf, selectedRange } from './log-filters.ts'

interface Props {
  state: FilterState<LogFilters>
  /** True for administrators, who can also filter by user and channel. */
  allUsers: boolean
}

const RANGES = Object.keys(LOG_RANGE_STARTS) as (keyof typeof LOG_RANGE_STARTS)[]

export function LogFilterBar({ state: { filters, setFilters, bar }, allUsers }: Props) {
  const { t } = useTranslation()

  function search(values: Record<string, string>) {
    const { channel = '' } = values
    if (channel !== '' && !parseWholeNumber(channel)) Message.error(t('log.filter.badChannel'))
    else setFilters(values)
  }

  return (
    <FilterBar<string>
      fields={[
        { name: 'token_name', label: t('log.filter.token') },
        { name: 'model_name', label: t('log.filter.model') },
        { name: 'group', label: t('log.filter.group') },
        ...(allUsers
          ? ([
              { name: 'username', label: t('log.filter.username') },
              { name: 'channel', label: t('log.filter.channel') },
            ] as const)
          : []),
        { name: 'request_id', label: t('log.filter.request') },
      ]}
      {...bar}
      onSearch={search}
    >
      <TimeRangePicker
        value={selectedRange(filters) ?? { from: undefined, to: undefined }}
        onChange={({ from, to }) => setFilters({ from: String(from ?? ''), to: String(to ?? '') })}
        shortcuts={RANGES.map((name) => ({ text: t(`log.range.${name}`), range: () => logRangeOf(name, new Date()) }))}
      />
      <Select
        value={filters.type || '0'}
        onChange={(type: string) => setFilters({ type: type === '0' ? '' : type })}
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
