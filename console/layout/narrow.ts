import { useSyncExternalStore } from 'react'

/** Up to this width a screen is a phone's: the side menu becomes a drawer, drawers take the whole width. */
const NARROW_MAX_PX = 600
/** Up to this width, a tablet's, buttons of the top bar are icons, and no column of a table stays while others scroll. */
const COMPACT_MAX_PX = 900
/** Up to this width the side menu leaves its room to the page, unless the person has chosen otherwise. */
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
