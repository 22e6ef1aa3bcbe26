import { useSyncExternalStore } from 'react'

/** Maximum phone width: the side menu becomes a drawer, and drawers use the full width. */
const NARROW_MAX_PX = 600
/** Maximum tablet width: top bar buttons are icons, and no table column stays fixed. */
const COMPACT_MAX_PX = 900
/** Up to this width the side menu is collapsed, unless the user has chosen otherwise. */
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
