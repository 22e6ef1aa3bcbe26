import { type ReactNode, useEffect } from 'react'
import { useBlocker } from 'react-router-dom'
import { LeaveQuestion } from './leave-question.tsx'

/**
 * Asks before a page with unsaved changes is left, for another page of the console or for another site. `part` names what
 * in the address's query tells pages of one path apart. Answers the dialog, to be rendered; a page may have one guard.
 */
export function useLeaveGuard(dirty: boolean, part?: string): ReactNode {
  const blocker = useBlocker(({ currentLocation: from, nextLocation: to }) => {
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
    <LeaveQuestion
      visible={blocker.state === 'blocked'}
      onLeave={() => blocker.proceed?.()}
      onStay={() => blocker.reset?.()}
    />
  )
}
