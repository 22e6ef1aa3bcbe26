import { useEffect, useEffectEvent } from 'react'
import { type Location, useBlocker } from 'react-router-dom'
import { LeaveQuestion } from '../leave-question.tsx'

/** What of the address says that a window is open: the path, or a name in the query. */
export type AddressPart = 'path' | 'open' | 'add' | 'edit_tag'

interface Props {
  part: AddressPart
  /** Whether something would be lost just now. */
  isTyped: () => boolean
}

/** Asks before back, or the closing of the tab, takes away what was typed. A page may have one at a time. */
export function AddressGuard({ part, isTyped }: Props) {
  const blocker = useBlocker(({ currentLocation: from, nextLocation: to }) => !isSamePlace(part, from, to) && isTyped())
  const hold = useEffectEvent((event: BeforeUnloadEvent) => {
    if (isTyped()) event.preventDefault()
  })
  useEffect(() => {
    const ask = (event: BeforeUnloadEvent) => hold(event)
    window.addEventListener('beforeunload', ask)
    return () => window.removeEventListener('beforeunload', ask)
  }, [])
  return (
    <LeaveQuestion
      visible={blocker.state === 'blocked'}
      onLeave={() => blocker.proceed?.()}
      onStay={() => blocker.reset?.()}
    />
  )
}

/** The rest of the address may change below the window, as the page of a list does. */
function isSamePlace(part: AddressPart, from: Location, to: Location): boolean {
  const named = ({ search }: Location) => new URLSearchParams(search).get(part)
  return from.pathname === to.pathname && named(from) === named(to)
}
