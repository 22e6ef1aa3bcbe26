import { useEffect, useEffectEvent } from 'react'
import { useBlocker } from '../../router/hooks.ts'
import type { Location } from '../../router/location.ts'
import { LeaveQuestion } from '../leave-question.tsx'

/** The part of the URL that keeps a window open: the path, or a query parameter. */
export type AddressPart = 'path' | 'open' | 'add' | 'edit_tag'

interface Props {
  part: AddressPart
  /** Whether unsaved input would be lost now. */
  isEdited: () => boolean
}

/** Asks before going back or closing the tab discards input. At most one per page. */
export function AddressGuard({ part, isEdited }: Props) {
  const blocked = useBlocker((from, to) => !isSamePlace(part, from, to) && isEdited())
  const hold = useEffectEvent((event: BeforeUnloadEvent) => {
    if (isEdited()) event.preventDefault()
  })
  useEffect(() => {
    const ask = (event: BeforeUnloadEvent) => hold(event)
    window.addEventListener('beforeunload', ask)
    return () => window.removeEventListener('beforeunload', ask)
  }, [])
  return (
    <LeaveQuestion visible={blocked !== undefined} onLeave={() => blocked?.proceed()} onStay={() => blocked?.stay()} />
  )
}

/** Other parts of the URL may change behind the window, such as a list's page. */
function isSamePlace(part: AddressPart, from: Location, to: Location): boolean {
  const named = ({ search }: Location) => new URLSearchParams(search).get(part)
  return from.pathname === to.pathname && named(from) === named(to)
}
