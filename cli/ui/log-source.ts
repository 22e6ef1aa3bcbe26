import { useMemo } from 'react'
import type { Page, Paging } from '../../core/input.ts'
import type { LogFilter } from '../../core/logs/filter.ts'
import type { Log } from '../../core/logs/log.ts'
import type { Receipt } from '../../core/logs/receipt.ts'
import { useUi } from './ui-context.ts'

/** A member of a team. Its requests are in the log of the team. */
export interface MemberId {
  teamId: number
  memberId: number
}

/** The log rows that the actor sees, or those of a team's member. */
export interface LogSource {
  list(filter: LogFilter & Paging): Page<Log> | Promise<Page<Log>>
  /** Returns the price calculation of a row; undefined if the row has none. */
  receipt(log: Log): Promise<Receipt | undefined>
}

export function useLogSource(member?: MemberId): LogSource {
  const { toolkit, actor } = useUi()
  return useMemo((): LogSource => {
    const { logs, teams } = toolkit
    if (!member) {
      return { list: (filter) => logs.list(actor, filter), receipt: async ({ id }) => logs.receipt(actor, id) }
    }
    const { teamId, memberId } = member
    return {
      list: ({ username: _user, channel: _channel, ...filter }) =>
        teams.usage.logs(actor, teamId, { ...filter, memberId }),
      // Ids in the log of a team are shortened, so the request's id finds the row.
      receipt: async ({ request_id }) => (await teams.usage.request(actor, teamId, request_id)).receipt,
    }
  }, [toolkit, actor, member])
}
