/** Dialogs and drawers. A new drawer gets the focus before it has its role, so its class is also needed. */
const DIALOGS = '[role="dialog"], .arco-drawer'
/** Number of focused elements to remember, because the last may be gone, such as an entry of a closed menu. */
const REMEMBERED_MAX = 5

/** Restores the focus after a dialog or drawer closes, because Arco does not. */
export function returnFocus(): void {
  const previousElements: HTMLElement[] = []
  let inDialog = false

  document.addEventListener('focusin', ({ target }) => {
    if (!(target instanceof HTMLElement)) return
    inDialog = target.closest(DIALOGS) !== null
    if (inDialog) return
    previousElements.unshift(target)
    previousElements.length = Math.min(previousElements.length, REMEMBERED_MAX)
  })

  const restoreFocus = () => {
    if (!inDialog || document.activeElement !== document.body) return
    if (Array.from(document.querySelectorAll(DIALOGS)).some(isVisible)) return
    inDialog = false
    previousElements.find(isVisible)?.focus()
  }
  const changes = { childList: true, subtree: true, attributes: true, attributeFilter: ['style'] }
  new MutationObserver(restoreFocus).observe(document.body, changes)
}

const isVisible = (element: Element): boolean => element.isConnected && element.getClientRects().length > 0
