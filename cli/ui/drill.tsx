import type { User } from '../../core/accounts/user.ts'
import { ROLE } from '../../core/actor.ts'
import type { Channel } from '../../core/channels/channel.ts'
import { LOG_TYPE } from '../../core/logs/log.ts'
import type { Token } from '../../core/tokens/token.ts'
import { labelOf } from '../input/enum-labels.ts'
import type { LogFilterOptions } from '../input/log-filter.ts'
import { bindKey, type KeyBinding } from './bindings.ts'
import type { ListControl } from './list-screen.tsx'
import { LogList } from './log-list.tsx'
import type { MemberId } from './log-source.ts'
import { useUi } from './ui-context.ts'

/** Subject whose requests are listed. */
export interface LogSubject {
  name: string
  filter: LogFilterOptions
  /** The member's id, if the subject is a member of a team. */
  member?: MemberId
}

export const ofChannel = ({ id, name }: Channel): LogSubject => ({ name, filter: { channel: id } })
export const ofUser = ({ username }: User): LogSubject => ({ name: username, filter: { user: username } })

/** Filters by token name, and for administrators by user, because other users may have tokens with the same name. */
export function ofToken({ name, username }: Token, role: number): LogSubject {
  return { name, filter: { token: name, ...(role >= ROLE.admin && username && { user: username }) } }
}

/** Returns a function that creates the keys to list a subject's requests. `back` returns to the previous view. */
export function useRequestKeys(): (subject: LogSubject, list: ListControl, back?: () => void) => KeyBinding[] {
  const { t } = useUi()
  return ({ name, filter, member }, list, back = list.close) => {
    const open = (moreFilters: LogFilterOptions) =>
      list.show(
        <LogList
          title={t('ui.requestsOf', { name })}
          filter={{ ...filter, ...moreFilters }}
          member={member}
          onBack={back}
        />,
      )
    return [
      bindKey('l', t('label.requests'), () => open({})),
      bindKey('x', t('ui.failedRequests'), () => open({ type: labelOf(LOG_TYPE, LOG_TYPE.error) })),
    ]
  }
}
