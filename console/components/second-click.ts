/** What may stand where another button has just been clicked: it undoes what that has done, or does it to the next. */
const BUTTONS = '.row-actions, .message-actions, .composer-buttons, .picture-remove, [role^="menuitem"]'
/** What lies around a dialog or drawer that has just been opened: a click there closes it. */
const BESIDE = '.arco-modal-wrapper, .arco-drawer-mask'

/** A double click is one click: what comes into the place of a button gets nothing of it. */
export function dropSecondClicks(): void {
  const drop = (event: MouseEvent) => {
    const { target, detail } = event
    if (detail < 2 || !(target instanceof Element)) return
    if (target.closest(BUTTONS) || target.matches(BESIDE)) event.stopPropagation()
  }
  document.addEventListener('click', drop, { capture: true })
}
