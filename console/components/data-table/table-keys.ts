import { type RefObject, useEffect, useEffectEvent, useRef } from 'react'

interface TableActions {
  onOpen: (key: string) => void
  onTick: (key: string) => void
  /** Keys of all lines in order, rendered or not. */
  keys: readonly string[]
  scrollTo: (index: number) => void
}

/** Elements in which keys type text or have other functions. */
const TEXT_FIELDS = 'input:not([type="checkbox"]), textarea, select, [contenteditable="true"], [role="combobox"]'
const OVERLAYS = '.arco-modal-wrapper, .arco-drawer, [role="menu"], [role="listbox"]'

/**
 * Handles the keys of a list. j and k move down and up, Enter opens the row, and x selects the row. The key / focuses
 * the first filter. Ignores keys in text fields, and while a dialog, drawer or menu is open.
 */
export function useTableKeys(
  frame: RefObject<HTMLElement | null>,
  { onOpen, onTick, keys, scrollTo }: TableActions,
): void {
  const rowOf = (index: number) => frame.current?.querySelector<HTMLElement>(`tr[data-index="${index}"]`)

  /** Index of a row that gets the focus as soon as it is rendered. Further keys start from this row. */
  const pendingIndex = useRef<number>(undefined)

  function go(index: number) {
    scrollTo(index)
    const row = rowOf(index)
    if (row) return focus(row)
    pendingIndex.current = index
    requestAnimationFrame(() => {
      if (pendingIndex.current === index) focus(rowOf(index))
    })
  }

  function focus(row: HTMLElement | null | undefined) {
    pendingIndex.current = undefined
    row?.focus()
  }

  const onKeyDown = useEffectEvent((event: KeyboardEvent) => {
    const { target, key, ctrlKey, metaKey, altKey, isComposing, defaultPrevented } = event
    if (ctrlKey || metaKey || altKey || isComposing || defaultPrevented || !(target instanceof Element)) return
    if (target.closest(TEXT_FIELDS) || isCovered()) return
    const row = target.closest<HTMLElement>('tr[data-row]')
    const focused = pendingIndex.current ?? (row && frame.current?.contains(row) ? Number(row.dataset.index) : -1)
    if (key === '/') frame.current?.querySelector<HTMLElement>('.data-table-bar input')?.focus()
    else if (key === 'j' && keys.length > 0) go(Math.min(focused + 1, keys.length - 1))
    else if (key === 'k' && keys.length > 0) go(Math.max(focused - 1, 0))
    else if (key === 'x' && focused >= 0) onTick(keys[focused] ?? '')
    else if (key === 'Enter' && target === row && focused >= 0) onOpen(keys[focused] ?? '')
    else return
    event.preventDefault()
  })

  useEffect(() => {
    const listener = (event: KeyboardEvent) => onKeyDown(event)
    document.addEventListener('keydown', listener)
    return () => document.removeEventListener('keydown', listener)
  }, [])
}

const isCovered = () => [...document.querySelectorAll(OVERLAYS)].some((element) => element.checkVisibility())
