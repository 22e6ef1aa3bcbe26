import i18next from 'i18next'

/** Adds roles and accessible names that Arco omits and has no properties for. */
const REPAIRS: readonly [selector: string, repair: (element: Element) => void][] = [
  ['.arco-menu-inline-header:not([role])', (head) => head.setAttribute('role', 'button')],
  ['.arco-drawer:not([role])', makeDialog],
  ['.arco-tabs-header:not([role])', (header) => header.setAttribute('role', 'tablist')],
  ['[role="listbox"]:not([aria-label])', nameOptions],
  // The search field inside a select: only the select is a Tab stop, and it focuses the field when it opens.
  ['.arco-select-view-input:not([tabindex])', (input) => input.setAttribute('tabindex', '-1')],
  ['[role="slider"]:not([aria-label])', nameSlider],
  ['.arco-picker[aria-label] input:not([aria-label])', copyParentName],
  ['.arco-form-message:not([id])', tieMessage],
]

/** Repairs the page now and after each change. */
export function nameArcosParts(): void {
  const repair = () => {
    for (const [selector, repair] of REPAIRS) for (const element of document.querySelectorAll(selector)) repair(element)
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

/** Names a list of options after the field that opens it. */
function nameOptions(list: Element): void {
  const field = document.querySelector(`[aria-controls="${CSS.escape(list.id)}"]`)
  // Without a field whose arrow keys move through the list, the list must be scrollable by keyboard.
  if (!field) list.setAttribute('tabindex', '0')
  list.setAttribute('aria-label', field?.getAttribute('aria-label') || i18next.t('form.options'))
}

/** Names a slider after its form field. */
function nameSlider(knob: Element): void {
  const label = knob.closest('.arco-form-item')?.querySelector('.arco-form-label-item label')?.textContent
  if (label) knob.setAttribute('aria-label', label)
}

/** Names the input of a date picker after the picker. */
function copyParentName(input: Element): void {
  input.setAttribute('aria-label', input.closest('[aria-label]')?.getAttribute('aria-label') ?? '')
}

let messages = 0

/** Links an error message to its form field, for screen readers. */
function tieMessage(message: Element): void {
  message.id = `form-message-${++messages}`
  const item = message.closest('.arco-form-item')
  const field = item?.querySelector('[role="combobox"], [role="textbox"], input, textarea')
  field?.setAttribute('aria-describedby', message.id)
}
