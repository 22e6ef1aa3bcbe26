import { useRef } from 'react'
import { cutTo } from '../../display-width.ts'
import { CommandError } from '../../errors.ts'
import { useDesk } from '../desk.ts'

const SHOWN_MAX = 60

/**
 * Holds what is stored now against what was loaded, before it is replaced. Throws DECLINED when it has moved, with what it is now:
 * whoever saves once more knows it.
 */
export function useUnmoved<T extends string | number>(loaded: T | undefined): (stored: T) => void {
  const { say } = useDesk()
  const known = useRef(loaded)
  return (stored) => {
    if (stored === known.current) return
    known.current = stored
    const shown = cutTo(String(stored), SHOWN_MAX)
    throw new CommandError(
      'DECLINED',
      say`Meanwhile this has become ${shown}. Save again to replace that, or change it here.`,
    )
  }
}
