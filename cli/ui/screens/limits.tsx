import { useCallback } from 'react'
import { ROLE } from '../../../core/actor.ts'
import type { LimitStatus } from '../../../core/limits/limit.ts'
import { LIMIT_STATUS_COLUMNS } from '../../columns/limit.ts'
import { pageOf } from '../../output/listing.ts'
import { bindKey, type KeyBinding } from '../bindings.ts'
import { type LogSubject, useRequestKeys } from '../drill.tsx'
import { type ListQuery, ListScreen, type RowControl } from '../list-screen.tsx'
import { Sheet, useRecordLines } from '../sheet.tsx'
import { useUi } from '../ui-context.ts'

/** Screen with the usage of each limit. Keys open the requests of a limit's subject, such as a token. */
export function LimitsScreen() {
  const { toolkit, actor, t, intervals, confirm } = useUi()
  const drill = useRequestKeys()
  const linesOf = useRecordLines()
  const load = useCallback(
    async ({ keyword, ...paging }: ListQuery) => {
      const limits = await toolkit.limits.status(actor)
      return pageOf(
        limits.filter((row) => matches(row, keyword)),
        paging,
      )
    },
    [toolkit, actor],
  )

  function bindings(row: LimitStatus | undefined, list: RowControl<LimitStatus>): KeyBinding[] {
    if (!row) return []
    const subject = subjectOf(row, actor.role)
    const { id } = row.limit
    const open = () => {
      const lines = linesOf(row, LIMIT_STATUS_COLUMNS)
      const requests = subject ? drill(subject, list, open) : []
      list.show(<Sheet title={t('ui.limit', { id })} lines={lines} bindings={requests} onClose={list.close} />)
    }
    const remove = () =>
      list.run(t('ui.removingLimit', { id }), async () => {
        await toolkit.limits.remove(actor, id)
        return t('limit.removedLimit', { id })
      })
    return [
      bindKey('enter', t('ui.open'), open),
      ...(subject ? drill(subject, list) : []),
      bindKey('d', t('ui.remove'), () => confirm(t('limit.removeLimit', { id }), remove)),
    ]
  }

  return (
    <ListScreen
      title={t('ui.limits')}
      columns={LIMIT_STATUS_COLUMNS}
      load={load}
      keyOf={({ limit, subject_id }) => `${limit.id} ${subject_id}`}
      empty={t('limit.noLimitApplies')}
      searched={t('ui.searchByName')}
      everyMs={intervals.slow}
      bindings={bindings}
    />
  )
}

function matches({ limit, subject_id, name }: LimitStatus, keyword: string): boolean {
  const lowerKeyword = keyword.toLowerCase()
  return [limit.subject, subject_id, name].some((part) => part.toLowerCase().includes(lowerKeyword))
}

/** Returns the log filter of a limit's subject; undefined for an address, and a limit of each subject (`*`). */
function subjectOf({ limit, subject_id, name }: LimitStatus, role: number): LogSubject | undefined {
  if (subject_id === '*') return undefined
  const [first = '', second] = subject_id.split('/')
  switch (limit.subject) {
    case 'token':
      return { name, filter: { token: name } }
    case 'user':
      return { name, filter: role >= ROLE.admin ? { user: name } : {} }
    case 'group':
      return { name, filter: { group: subject_id } }
    case 'model':
      return { name, filter: { model: subject_id } }
    case 'channel':
    case 'channel-key':
      return { name, filter: { channel: Number(first) } }
    case 'member':
      return { name, filter: {}, member: { teamId: Number(first), memberId: Number(second) } }
    case 'address':
      return undefined
  }
}
