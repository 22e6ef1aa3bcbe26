import { useEffect, useEffectEvent } from 'react'
import { useBlocker } from '../../router/hooks.ts'
import type { PageLocation } from '../../router/location.ts'
import { LeaveQuestion } from '../leave-question.tsx'

/** The part of the URL that determines whether a window is open: the path, or the name of a query parameter. */
export type AddressPart = 'path' | 'open' | 'add' | 'edit_tag'

interface Props {
  part: AddressPart
  /** Whether leaving now would lose unsaved input. */
  isEdited: () => boolean
}

/** Asks for confirmation before a navigation, or closing the tab, discards input. A page must render at most one AddressGuard. */
export function AddressGuard({ part, isEdited }: Props) {
  const blocked = useBlocker((from, to) => !isSamePlace(part, from, to) && isEdited())
  const preventUnload = useEffectEvent((event: BeforeUnloadEvent) => {
    if (isEdited()) event.preventDefault()
  })
  useEffect(() => {
    const ask = (event: BeforeUnloadEvent) => preventUnload(event)
    window.addEventListener('beforeunload', ask)
    return () => window.removeEventListener('beforeunload', ask)
  }, [])
  return (
    <LeaveQuestion visible={blocked !== undefined} onLeave={() => blocked?.proceed()} onStay={() => blocked?.stay()} />
  )
}

/** Whether the window remains open. Other parts of the URL may change meanwhile, such as the page of a list. */
function isSamePlace(part: AddressPart, from: PageLocation, to: PageLocation): boolean {
  const parameterOf = ({ search }: PageLocation) => new URLSearchParams(search).get(part)
  return from.pathname === to.pathname && parameterOf(from) === parameterOf(to)
}
