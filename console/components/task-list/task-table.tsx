import Button from '@arco-design/web-react/es/Button'
import Message from '@arco-design/web-react/es/Message'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { TaskSearch } from '../../api/async-tasks.ts'
import type { ListPage } from '../../api/list-page.ts'
import { useBaseAddress } from '../base-address.ts'
import { useCopy } from '../copy.tsx'
import type { TableColumn } from '../data-table/column.ts'
import { DataTable } from '../data-table/data-table.tsx'
import { everyPage } from '../data-table/every-page.ts'
import { EmptyState } from '../empty-state.tsx'
import { FilterBar } from '../filter-bar.tsx'
import { type FilterState, useFilters, usePaging } from '../paging.ts'
import { nextRefresh } from '../refresh.ts'
import { TimeRangePicker } from '../time-range-picker.tsx'
import './task-list.css'
import { isUnfinished } from './task-status.tsx'
import { parseWholeNumber, searchOf, TIME_RANGES, taskRangeOf } from './time-filter.ts'

const REFRESH_MS = 5_000

interface Props<Row> {
  /** Name of the list in query keys and in this browser's stored columns. */
  name: 'drawing' | 'task'
  find: (search: TaskSearch, page: ListPage, signal?: AbortSignal) => Promise<{ items: Row[]; total: number }>
  columns: readonly TableColumn<Row>[]
  /** Name of the default time range. */
  defaultRange: keyof typeof TIME_RANGES
  /** Lists the tasks of all users, for administrators. */
  allUsers: boolean
  onOpen: (row: Row) => void
  /** The example call that an empty list shows. */
  submission: SubmissionExample
}

/** A list of asynchronous tasks. Polls while a task on the page is unfinished. */
export function TaskTable<Row extends { id: number; status: string }>({
  name,
  find,
  columns,
  defaultRange,
  allUsers,
  onOpen,
  submission,
}: Props<Row>) {
  const { t } = useTranslation()
  const paging = usePaging()
  const { page, pageSize } = paging
  const state = useFilters(NO_TASK_FILTERS)
  const { filters, filtered } = state
  const search = () => ({ ...searchOf(filters, defaultRange, new Date()), allUsers })
  const listing = useQuery({
    queryKey: [name, 'list', { ...filters, page, pageSize, allUsers }],
    queryFn: ({ signal }) => find(search(), { page, pageSize }, signal),
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) => (state.data?.items.some(isUnfinished) ? nextRefresh(state, REFRESH_MS) : false),
  })
  return (
    <DataTable
      title={t(`screen.${name}`)}
      name={name}
      rowKey="id"
      columns={columns}
      listing={listing}
      paging={paging}
      onOpen={onOpen}
      allRows={() => everyPage((listPage) => find(search(), listPage))}
      toolbar={<TaskFilterBar state={state} defaultRange={defaultRange} allUsers={allUsers} />}
      filtered={filtered}
      empty={<HowToSubmit {...submission} />}
    />
  )
}

interface SubmissionExample {
  title: string
  hint: string
  /** Path of the call, which follows the gateway's address. */
  path: string
  body: string
}

/** Replaces an empty list of tasks. Shows the call that submits a task, with a button that copies it. */
function HowToSubmit({ title, hint, path, body }: SubmissionExample) {
  const { t } = useTranslation()
  const copy = useCopy()
  const address = useBaseAddress()
  const command = `curl ${address}${path} \\\n  -H "Authorization: Bearer sk-…" \\\n  -H "Content-Type: application/json" \\\n  -d '${body}'`
  return (
    <EmptyState
      title={title}
      hint={hint}
      action={
        <>
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable regions must be reachable by keyboard */}
          <pre className="sample-call" tabIndex={0}>
            {command}
          </pre>
          <Button onClick={() => void copy(command)}>{t('action.copy')}</Button>
        </>
      }
    />
  )
}

/** Filters in the URL. `id` is the upstream's task id. `from` and `to` are unix seconds. */
const NO_TASK_FILTERS = { id: '', channel_id: '', from: '', to: '' }
type TaskFilters = typeof NO_TASK_FILTERS

interface TaskFilterBarProps {
  state: FilterState<TaskFilters>
  /** Name of the default time range. */
  defaultRange: keyof typeof TIME_RANGES
  /** Administrators can also filter by channel. */
  allUsers: boolean
}

const RANGES = Object.keys(TIME_RANGES) as (keyof typeof TIME_RANGES)[]

function TaskFilterBar({ state: { filters, setFilters, bar }, defaultRange, allUsers }: TaskFilterBarProps) {
  const { t } = useTranslation()
  const [fallback] = useState(() => TIME_RANGES[defaultRange](new Date()))

  function search(values: TaskFilters) {
    if (values.channel_id !== '' && !parseWholeNumber(values.channel_id)) Message.error(t('task.badChannel'))
    else setFilters(values)
  }

  return (
    <FilterBar<string>
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
          text: t(`log.range.${name}`),
          range: () => TIME_RANGES[name](new Date()),
        }))}
      />
    </FilterBar>
  )
}
