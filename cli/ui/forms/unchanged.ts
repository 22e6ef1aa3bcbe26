import { useRef } from 'react'
import { CommandError } from '../../errors.ts'
import { cutTo } from '../../output/display-width.ts'
import { useUi } from '../ui-context.ts'

const SHOWN_MAX = 60

/**
 * Returns a check of the stored value before a save. If it differs from the loaded one, throws DECLINED with the new value; a
 * second save confirms.
 */
export function useUnchanged<T extends string | number>(loaded: T | undefined): (stored: T) => void {
  const { t } = useUi()
  const known = useRef(loaded)
  return (stored) => {
    if (stored === known.current) return
    known.current = stored
    const shortened = cutTo(String(stored), SHOWN_MAX)
    throw new CommandError('DECLINED', t('ui.meanwhileTheValueHasChanged', { shortened }))
  }
}
