import { type ReactNode, useEffect } from 'react'
import { useBlocker } from '../router/hooks.ts'
import { LeaveQuestion } from './leave-question.tsx'

/**
 * Asks before a page with unsaved changes is left, for another page or site. `part` is the query parameter that
 * distinguishes pages of one path. Returns the dialog to render; at most one guard per page.
 */
export function useLeaveGuard(dirty: boolean, part?: string): ReactNode {
  const blocked = useBlocker((from, to) => {
    const partOf = (search: string) => part && new URLSearchParams(search).get(part)
    return dirty && (from.pathname !== to.pathname || partOf(from.search) !== partOf(to.search))
  })

  useEffect(() => {
    if (!dirty) return
    const ask = (event: BeforeUnloadEvent) => event.preventDefault()
    window.addEventListener('beforeunload', ask)
    return () => window.removeEventListener('beforeunload', ask)
  }, [dirty])

  return (
    <LeaveQuestion visible={blocked !== undefined} onLeave={() => blocked?.proceed()} onStay={() => blocked?.stay()} />
  )
}
