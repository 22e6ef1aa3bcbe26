import { useRef } from 'react'
import { CommandError } from '../../errors.ts'
import { cutTo } from '../../output/display-width.ts'
import { useUi } from '../ui-context.ts'

const SHOWN_MAX = 60

/**
 * Returns a function that checks the stored value before a save. If the stored value differs from the loaded value, the
 * function throws DECLINED with the stored value. A second save then succeeds, unless the stored value has changed
 * again.
 */
export function useUnchanged<T extends string | number>(loaded: T | undefined): (stored: T) => void {
  const { t } = useUi()
  const lastValue = useRef(loaded)
  return (stored) => {
    if (stored === lastValue.current) return
    lastValue.current = stored
    const shortened = cutTo(String(stored), SHOWN_MAX)
    throw new CommandError('DECLINED', t('ui.meanwhileTheValueHasChanged', { value: shortened }))
  }
}
