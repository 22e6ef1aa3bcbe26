import i18next from 'i18next'

/** Elements to which Arco gives no role or accessible name, and functions that add what is missing. */
const REPAIRS: readonly [selector: string, repair: (element: Element) => void][] = [
  ['.arco-menu-inline-header:not([role])', (head) => head.setAttribute('role', 'button')],
  ['.arco-drawer:not([role])', makeDialog],
  ['.arco-tabs-header:not([role])', (header) => header.setAttribute('role', 'tablist')],
  ['[role="listbox"]:not([aria-label])', nameOptions],
  // The search field inside a select. Only the select is a Tab stop, and focuses the search field when the select
  // opens.
  ['.arco-select-view-input:not([tabindex])', (input) => input.setAttribute('tabindex', '-1')],
  ['[role="slider"]:not([aria-label])', nameSlider],
  ['.arco-picker[aria-label] input:not([aria-label])', copyParentName],
  ['.arco-form-message:not([id])', tieMessage],
]

/** Adds the missing roles and names now, and again after each change of the page. */
export function addMissingNames(): void {
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

/** Gives a list of options the name of the field that opens the list. */
function nameOptions(list: Element): void {
  const field = document.querySelector(`[aria-controls="${CSS.escape(list.id)}"]`)
  // If no field controls the list, the list itself must be a Tab stop, so that the keyboard can scroll it.
  if (!field) list.setAttribute('tabindex', '0')
  list.setAttribute('aria-label', field?.getAttribute('aria-label') || i18next.t('form.options'))
}

/** Gives a slider the label of its form field. */
function nameSlider(knob: Element): void {
  const label = knob.closest('.arco-form-item')?.querySelector('.arco-form-label-item label')?.textContent
  if (label) knob.setAttribute('aria-label', label)
}

/** Copies the accessible name of a date picker to its input. */
function copyParentName(input: Element): void {
  input.setAttribute('aria-label', input.closest('[aria-label]')?.getAttribute('aria-label') ?? '')
}

let messageCount = 0

/** Links an error message to its form field, for screen readers. */
function tieMessage(message: Element): void {
  message.id = `form-message-${++messageCount}`
  const item = message.closest('.arco-form-item')
  const field = item?.querySelector('[role="combobox"], [role="textbox"], input, textarea')
  field?.setAttribute('aria-describedby', message.id)
}
