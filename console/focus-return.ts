/** A newly opened drawer gets the focus before it has its role. */
const DIALOGS = '[role="dialog"], .arco-drawer'
/** Number of earlier elements to try: a menu entry disappears with its menu. */
const REMEMBERED = 5

/** Restores the focus after a dialog or drawer closes, because Arco does not. */
export function returnFocus(): void {
  const before: HTMLElement[] = []
  let inDialog = false

  document.addEventListener('focusin', ({ target }) => {
    if (!(target instanceof HTMLElement)) return
    inDialog = target.closest(DIALOGS) !== null
    if (inDialog) return
    before.unshift(target)
    before.length = Math.min(before.length, REMEMBERED)
  })

  const giveBack = () => {
    if (!inDialog || document.activeElement !== document.body) return
    if (Array.from(document.querySelectorAll(DIALOGS)).some(isVisible)) return
    inDialog = false
    before.find(isVisible)?.focus()
  }
  const changes = { childList: true, subtree: true, attributes: true, attributeFilter: ['style'] }
  new MutationObserver(giveBack).observe(document.body, changes)
}

const isVisible = (element: Element): boolean => element.isConnected && element.getClientRects().length > 0
