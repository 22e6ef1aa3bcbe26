import { type ReactNode, useEffect } from 'react'
import { useBlocker } from '../router/hooks.ts'
import { LeaveQuestion } from './leave-question.tsx'

/**
 * Asks before the user leaves a page with unsaved changes, for another page or site. If one path has several pages, `part` is
 * the query parameter that distinguishes them. Returns the dialog to render. A page must have at most one guard.
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
