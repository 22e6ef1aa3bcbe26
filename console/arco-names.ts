import i18next from 'i18next'

/** What Arco leaves without a name or role for those who do not see it, and gives no property to say it by. */
const REPAIRS: readonly [selector: string, repair: (element: Element) => void][] = [
  ['.arco-menu-inline-header:not([role])', (head) => head.setAttribute('role', 'button')],
  ['.arco-drawer:not([role])', makeDialog],
  ['.arco-tabs-header:not([role])', (header) => header.setAttribute('role', 'tablist')],
  ['[role="listbox"]:not([aria-label])', nameOptions],
  // The search field inside of a select: the select itself is the one stop for Tab, and gives it the focus by opening.
  ['.arco-select-view-input:not([tabindex])', (input) => input.setAttribute('tabindex', '-1')],
  ['[role="slider"]:not([aria-label])', nameSlider],
  ['.arco-picker[aria-label] input:not([aria-label])', nameAsAround],
  ['.arco-form-message:not([id])', tieMessage],
  ['th .arco-checkbox input:not([aria-label])', (box) => box.setAttribute('aria-label', i18next.t('table.selectAll'))],
]

/** Watches the page from now on. */
export function nameArcosParts(): void {
  const repair = () => {
    for (const [selector, mend] of REPAIRS) for (const element of document.querySelectorAll(selector)) mend(element)
  }
  new MutationObserver(repair).observe(document.body, { childList: true, subtree: true })
  repair()
}

function makeDialog(drawer: Element): void {
  drawer.setAttribute('role', 'dialog')
  drawer.setAttribute('aria-modal', 'true')
  const title = drawer.querySelector('.arco-drawer-header-title')?.textContent
  if (title) drawer.setAttribute('aria-label', title)
}

/** A list of options is called as the field that opens it. */
function nameOptions(list: Element): void {
  const field = document.querySelector(`[aria-controls="${CSS.escape(list.id)}"]`)
  // Without one whose arrow keys walk it, it must be possible to scroll it.
  if (!field) list.setAttribute('tabindex', '0')
  list.setAttribute('aria-label', field?.getAttribute('aria-label') || i18next.t('form.options'))
}

/** A slider is called as the field of the form that it is. */
function nameSlider(knob: Element): void {
  const label = knob.closest('.arco-form-item')?.querySelector('.arco-form-label-item label')?.textContent
  if (label) knob.setAttribute('aria-label', label)
}

/** The field within a date. */
function nameAsAround(input: Element): void {
  input.setAttribute('aria-label', input.closest('[aria-label]')?.getAttribute('aria-label') ?? '')
}

let messages = 0

/** What is wrong with a field of a form is said with it, not beside it alone. */
function tieMessage(message: Element): void {
  message.id = `form-message-${++messages}`
  const item = message.closest('.arco-form-item')
  const field = item?.querySelector('[role="combobox"], [role="textbox"], input, textarea')
  field?.setAttribute('aria-describedby', message.id)
}
