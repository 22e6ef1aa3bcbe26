import { useCallback, useState } from 'react'
import { LOG_TYPE, type Log } from '../../core/logs/log.ts'
import { defined } from '../../core/records.ts'
import { LOG_COLUMNS } from '../columns/log.ts'
import { pastTime, positiveInt } from '../input/arguments.ts'
import { labelOf } from '../input/enum-labels.ts'
import { type LogFilterOptions, toLogFilter } from '../input/log-filter.ts'
import { bindKey, type KeyBinding } from './bindings.ts'
import type { FieldValues, FormField } from './fields.ts'
import { Form } from './form.tsx'
import { type ListQuery, ListScreen, type RowControl } from './list-screen.tsx'
import { LogSheet } from './log-sheet.tsx'
import { type MemberId, useLogSource } from './log-source.ts'
import { useUi } from './ui-context.ts'

interface Props {
  title: string
  /** Initial filter. `c` restores the filter if `onBack` is set; otherwise, `c` removes all filters. */
  filter: LogFilterOptions
  /** If set, only requests with the keys of this member of a team. */
  member: MemberId | undefined
  /** Returns to the previous view. Set for the requests of one subject, such as a channel. */
  onBack?: () => void
}

const ERROR = labelOf(LOG_TYPE, LOG_TYPE.error)

/** Log rows, newest first. Loads new rows; `f` stops and restarts the loading. */
export function LogList({ title, filter: initial, member, onBack }: Props) {
  const { t, format, intervals } = useUi()
  const source = useLogSource(member)
  const [follow, setFollow] = useState(true)
  const [filter, setFilter] = useState(initial)
  const load = useCallback(
    async ({ keyword, ...paging }: ListQuery) => {
      const logFilter = { ...filter, ...(keyword && { model: patternOf(keyword) }) }
      return source.list({ ...toLogFilter(logFilter), ...paging })
    },
    [source, filter],
  )
  const showsFailures = filter.type === ERROR

  function bindings(log: Log | undefined, list: RowControl<Log>): KeyBinding[] {
    const { type: _, ...others } = filter
    return [
      bindKey(
        'enter',
        t('ui.open'),
        () => log && list.show(<LogSheet log={log} source={source} onClose={list.close} />),
      ),
      bindKey('x', showsFailures ? t('ui.allRequests') : t('ui.failedRequests'), () =>
        setFilter(showsFailures ? others : { ...filter, type: ERROR }),
      ),
      bindKey('f', follow ? t('ui.stopFollowing') : t('ui.follow'), () => setFollow(!follow)),
      bindKey('l', t('ui.filtersKey'), () =>
        list.show(
          <LogFilterForm filter={filter} isOfMember={member !== undefined} onFilter={setFilter} onClose={list.close} />,
        ),
      ),
      ...(log?.request_id ? [bindKey('y', t('ui.copyId'), () => list.copy(log.request_id, log.request_id))] : []),
    ]
  }

  const filters = Object.entries(filter).map(
    ([name, value]) =>
      `${format.title(name)}=${name === 'since' || name === 'until' ? format.moment(Number(value)) : value}`,
  )
  return (
    <ListScreen
      title={title}
      columns={LOG_COLUMNS}
      load={load}
      // Ids in the log of a team are shortened, so two rows may have the same id.
      keyOf={({ id, created_at, request_id }) => (member ? `${created_at} ${request_id} ${id}` : id)}
      empty={t('ui.noLogRows')}
      searched={t('ui.partOfAModel')}
      note={[follow ? t('ui.following') : t('ui.stopped'), ...filters].join(' · ')}
      everyMs={follow ? intervals.fast : undefined}
      bindings={bindings}
      onBack={onBack}
      onClear={() => setFilter(onBack ? initial : {})}
    />
  )
}

/** Returns a pattern that matches the text anywhere, or the text itself if it is a pattern already. */
function patternOf(keyword: string): string {
  return keyword.includes('%') ? keyword : `%${keyword}%`
}

interface FilterFormProps {
  filter: LogFilterOptions
  /** Whether the rows belong to one member of a team. These rows cannot be filtered by user or channel. */
  isOfMember: boolean
  onFilter(filter: LogFilterOptions): void
  onClose(): void
}

/** Form that edits a filter of log rows. */
function LogFilterForm({ filter, isOfMember, onFilter, onClose }: FilterFormProps) {
  const { t } = useUi()
  const types = Object.values(LOG_TYPE).map((type) => labelOf(LOG_TYPE, type))
  const since = filter.since === undefined ? '' : new Date(filter.since * 1000).toLocaleString('sv-SE')
  const allFields: FormField[] = [
    {
      kind: 'choice',
      name: 'type',
      label: t('ui.type'),
      initial: filter.type ?? '',
      choices: [{ value: '', label: t('ui.all') }, ...types.map((word) => ({ value: word, label: word }))],
    },
    { name: 'user', label: t('ui.user'), initial: filter.user ?? '' },
    { name: 'model', label: t('ui.model'), initial: filter.model ?? '', hint: t('ui.matchesAnyText') },
    { name: 'token', label: t('ui.token'), initial: filter.token ?? '', hint: t('ui.fullName') },
    {
      name: 'channel',
      label: t('ui.channel'),
      initial: String(filter.channel ?? ''),
      hint: t('ui.id'),
      check: positiveInt,
    },
    { name: 'since', label: t('ui.since'), initial: since, hint: t('ui.timeExamples'), check: pastTime },
  ]
  const fields = isOfMember ? allFields.filter(({ name }) => name !== 'user' && name !== 'channel') : allFields

  async function submit(values: FieldValues): Promise<void> {
    const trimmed = Object.entries(values).map(([name, value]) => [name, value.trim()] as const)
    const { channel, since: from, ...texts } = Object.fromEntries(trimmed.filter(([, value]) => value !== ''))
    // The form has no fields for these filters.
    const { group, request, until } = filter
    onFilter({
      ...defined({ group, request, until }),
      ...texts,
      ...(channel !== undefined && { channel: positiveInt(channel) }),
      ...(from !== undefined && { since: pastTime(from) }),
    })
    onClose()
  }
  return <Form title={t('ui.filters')} fields={fields} submit={submit} onClose={onClose} />
}

export function LogsScreen() {
  const { t, start } = useUi()
  return <LogList title={t('ui.logs')} filter={start.filter ?? {}} member={undefined} />
}
