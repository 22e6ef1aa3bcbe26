import { type ReactNode, useEffect, useEffectEvent } from 'react'
import { useBlocker } from '../router/hooks.ts'
import { LeaveQuestion } from './leave-question.tsx'

/**
 * Asks before the user leaves a page with unsaved changes, for another page or site. A function `dirty` is called when
 * the user is leaving. If one path has several pages, `part` is the query parameter that distinguishes them. Returns
 * the dialog to render. A page must have at most one guard.
 */
export function useLeaveGuard(dirty: boolean | (() => boolean), part?: string): ReactNode {
  const isDirty = typeof dirty === 'function' ? dirty : () => dirty
  const isActive = dirty !== false
  const blocked = useBlocker((from, to) => {
    const partOf = (search: string) => part && new URLSearchParams(search).get(part)
    return (from.pathname !== to.pathname || partOf(from.search) !== partOf(to.search)) && isDirty()
  })
  const preventUnload = useEffectEvent((event: BeforeUnloadEvent) => {
    if (isDirty()) event.preventDefault()
  })
  useEffect(() => {
    if (!isActive) return
    const ask = (event: BeforeUnloadEvent) => preventUnload(event)
    window.addEventListener('beforeunload', ask)
    return () => window.removeEventListener('beforeunload', ask)
  }, [isActive])
  return (
    <LeaveQuestion visible={blocked !== undefined} onLeave={() => blocked?.proceed()} onStay={() => blocked?.stay()} />
  )
}
