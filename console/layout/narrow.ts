import { useSyncExternalStore } from 'react'

/** Maximum window width of phones. There the side menu is in a drawer, and drawers use the full width. */
const NARROW_MAX_PX = 600
/** Maximum window width of tablets. There the buttons of the top bar are icons, and no table column is fixed. */
const COMPACT_MAX_PX = 900
/** Up to this window width, the side menu is collapsed, unless the user has expanded it. */
const COLLAPSE_MAX_PX = 1000

export const useNarrow = widthHook(NARROW_MAX_PX)
export const useCompact = widthHook(COMPACT_MAX_PX)
export const useCollapsing = widthHook(COLLAPSE_MAX_PX)

function widthHook(maxPx: number): () => boolean {
  const query = matchMedia(`(max-width: ${maxPx}px)`)
  function subscribe(listener: () => void) {
    query.addEventListener('change', listener)
    return () => query.removeEventListener('change', listener)
  }
  return () => useSyncExternalStore(subscribe, () => query.matches)
}
