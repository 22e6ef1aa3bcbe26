import Message from '@arco-design/web-react/es/Message'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { FilterBar } from '../filter-bar.tsx'
import { TimeRangePicker } from '../time-range-picker.tsx'
import { rangeOf, TIME_RANGES, wholeNumber } from './time-filter.ts'

interface TaskFilters extends Record<string, string> {
  /** The upstream's task id. */
  id: string
  channel_id: string
  from: string
  to: string
}

export const NO_TASK_FILTERS: TaskFilters = { id: '', channel_id: '', from: '', to: '' }

interface Props {
  filters: TaskFilters
  count: number
  onFilter: (change: Partial<TaskFilters>) => void
  onClear: (() => void) | undefined
  /** The default range. */
  usualRange: keyof typeof TIME_RANGES
  /** Administrators can also filter by channel. */
  everybody: boolean
}

const RANGES = Object.keys(TIME_RANGES) as (keyof typeof TIME_RANGES)[]

export function TaskFilterBar({ filters, count, onFilter, onClear, usualRange, everybody }: Props) {
  const { t } = useTranslation()
  const [usual] = useState(() => TIME_RANGES[usualRange](new Date()))

  function search(values: TaskFilters) {
    if (values.channel_id !== '' && wholeNumber(values.channel_id) === undefined) Message.error(t('task.badChannel'))
    else onFilter(values)
  }

  return (
    <FilterBar<keyof TaskFilters & string>
      fields={[
        ...(everybody ? [{ name: 'channel_id', label: t('task.channelId') }] : []),
        { name: 'id', label: t('task.id') },
      ]}
      values={filters}
      count={count}
      onSearch={(values) => search({ ...filters, ...values })}
      onClear={onClear}
    >
      <TimeRangePicker
        value={rangeOf(filters, usual)}
        onChange={({ from, to }) => onFilter({ from: String(from ?? ''), to: String(to ?? '') })}
        shortcuts={RANGES.map((name) => ({
          text: t(`task.range.${name}`),
          range: () => TIME_RANGES[name](new Date()),
        }))}
      />
    </FilterBar>
  )
}
