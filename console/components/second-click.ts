/** Buttons that may appear in the place of a clicked button, and undo its action or repeat it on the next item. */
const BUTTONS = '.row-actions, .message-actions, .composer-buttons, .picture-remove, [role^="menuitem"]'
/** The backdrop of a newly opened dialog or drawer: a click there closes it. */
const BESIDE = '.arco-modal-wrapper, .arco-drawer-mask'

/** Drops the second click of a double click if it would hit an element that has just appeared under the pointer. */
export function dropSecondClicks(): void {
  const drop = (event: MouseEvent) => {
    const { target, detail } = event
    if (detail < 2 || !(target instanceof Element)) return
    if (target.closest(BUTTONS) || target.matches(BESIDE)) event.stopPropagation()
  }
  document.addEventListener('click', drop, { capture: true })
}
