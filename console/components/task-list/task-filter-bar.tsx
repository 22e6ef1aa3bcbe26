import Message from '@arco-design/web-react/es/Message'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { FilterBar } from '../filter-bar.tsx'
import type { FilterState } from '../paging.ts'
import { TimeRangePicker } from '../time-range-picker.tsx'
import { parseWholeNumber, TIME_RANGES, taskRangeOf } from './time-filter.ts'

interface TaskFilters extends Record<string, string> {
  /** The upstream's task id. */
  id: string
  channel_id: string
  from: string
  to: string
}

export const NO_TASK_FILTERS: TaskFilters = { id: '', channel_id: '', from: '', to: '' }

interface Props {
  state: FilterState<TaskFilters>
  /** Name of the default time range. */
  defaultRange: keyof typeof TIME_RANGES
  /** Administrators can also filter by channel. */
  allUsers: boolean
}

const RANGES = Object.keys(TIME_RANGES) as (keyof typeof TIME_RANGES)[]

export function TaskFilterBar({ state: { filters, setFilters, bar }, defaultRange, allUsers }: Props) {
  const { t } = useTranslation()
  const [fallback] = useState(() => TIME_RANGES[defaultRange](new Date()))

  function search(values: TaskFilters) {
    if (values.channel_id !== '' && parseWholeNumber(values.channel_id) === undefined)
      Message.error(t('task.badChannel'))
    else setFilters(values)
  }

  return (
    <FilterBar<keyof TaskFilters & string>
      fields={[
        ...(allUsers ? [{ name: 'channel_id', label: t('task.channelId') }] : []),
        { name: 'id', label: t('task.id') },
      ]}
      {...bar}
      onSearch={(values) => search({ ...filters, ...values })}
    >
      <TimeRangePicker
        value={taskRangeOf(filters, fallback)}
        onChange={({ from, to }) => setFilters({ from: String(from ?? ''), to: String(to ?? '') })}
        shortcuts={RANGES.map((name) => ({
          text: t(`task.range.${name}`),
          range: () => TIME_RANGES[name](new Date()),
        }))}
      />
    </FilterBar>
  )
}
