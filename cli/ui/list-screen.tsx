import { Text } from 'ink'
import { type ReactNode, useState } from 'react'
import type { Page } from '../../core/input.ts'
import type { Column } from '../output/column.ts'
import { useCopy } from './app-lifecycle.ts'
import { bindKey, type KeyBinding, runBinding } from './bindings.ts'
import { Frame, useBody } from './frame.tsx'
import { LAYER, useKeys } from './keys.tsx'
import { FilterPrompt, InputPrompt, type ListInput } from './list-prompts.tsx'
import { Rows } from './rows.tsx'
import { type UiMessage, type UiState, useUi, type Work } from './ui-context.ts'
import { FIRST_ROW, useCursor, useCursorState } from './use-cursor.ts'
import { useMarks } from './use-marks.ts'
import { useOrder } from './use-order.ts'
import { type ListQuery, useWindow } from './use-window.ts'

export type { ListQuery }

/** Functions of a list for the keys of its screen. */
export interface ListControl {
  reload(): void
  /** Shows a component over the list, such as a form. `close` removes the component. */
  show(over: ReactNode): void
  close(): void
  /** Runs work, shows its result, and reloads the list. */
  run(doing: string, work: Work): void
  /** Opens a one-line input below the list. */
  prompt(input: ListInput): void
}

/** ListControl with the rows that a key applies to. */
export interface RowControl<T> extends ListControl {
  /** The marked rows, else the row of the cursor, if any. */
  readonly chosen: readonly T[]
  /** Whether several rows are marked. */
  readonly several: boolean
  /** Changes the chosen rows one by one, shows the count, clears the marks and reloads. */
  each(change: EachChange<T>): void
  /** Copies `text` to the terminal's clipboard, and shows a message with the name `what`. */
  copy(what: string, text: string): void
}

interface Props<T> {
  title: string
  columns: readonly Column<T>[]
  /** Loads a page. A new function resets the list to its first page. */
  load(query: ListQuery): Promise<Page<T>>
  keyOf(row: T): string | number
  /** Text of an empty list. */
  empty: string
  /** Label of the `/` search. */
  searched: string
  /** Text of the active filters. */
  note?: string | undefined
  everyMs?: number | undefined
  /** Whether rows can be marked for bulk changes. */
  markable?: true
  /** Clears filters of the screen besides the search. */
  onClear?: () => void
  /** Returns to the previous view with Esc. Set for a list that was opened from a row of another list. */
  onBack?: (() => void) | undefined
  bindings(selected: T | undefined, list: RowControl<T>): readonly KeyBinding[]
}

/** A list with cursor, paging, search, sorting and marks; the screen adds its own keys. */
export function ListScreen<T>(props: Props<T>) {
  const { title, columns, load, keyOf, empty, searched, note, everyMs, markable, onClear, onBack, bindings } = props
  const ui = useUi()
  const { t, start } = ui
  const { width, height } = useBody()
  const [over, setOver] = useState<ReactNode>()
  const [input, setInput] = useState<ListInput>()
  const [isFiltering, setFiltering] = useState(false)
  const [keyword, setKeyword] = useState(onBack ? '' : (start.keyword ?? ''))
  const order = useOrder(columns)
  const cursorState = useCursorState()
  const [place, setPlace] = cursorState
  const marks = useMarks<T>(keyOf)
  const [loadedBy, setLoadedBy] = useState(() => load)
  if (loadedBy !== load) {
    setLoadedBy(() => load)
    setPlace(FIRST_ROW)
    marks.clear()
  }

  const { window, error, loading, reload } = useWindow({
    load,
    keyword,
    order: order.current,
    at: place.at,
    height,
    everyMs,
    hidden: over !== undefined,
  })
  // Rows from before a change. While these rows are shown, keys wait for the reload.
  const [staleWindow, setStale] = useState<typeof window>()
  const reloadAfterChange = () => {
    setStale(window)
    reload()
  }
  const currentWindow = window ?? { first: 0, rows: [], total: 0 }
  const cursor = useCursor({ state: cursorState, window: currentWindow, keyOf, height: height - 1 })

  const search = (words: string) => {
    if (words === keyword) return
    setKeyword(words)
    setPlace(FIRST_ROW)
  }
  const copy = useCopy()
  const chosen = marks.rows.length > 0 ? marks.rows : cursor.row === undefined ? [] : [cursor.row]
  const list: RowControl<T> = {
    reload: reloadAfterChange,
    show: setOver,
    close: () => setOver(undefined),
    run: (doing, work) => ui.run(doing, () => work().finally(reloadAfterChange)),
    prompt: setInput,
    chosen,
    several: marks.rows.length > 1,
    each: (change) =>
      ui.run(change.doing, () => {
        marks.clear()
        return changeEach(chosen, change, ui).finally(reloadAfterChange)
      }),
    copy,
  }
  const clear = () => {
    search('')
    order.clear()
    marks.clear()
    onClear?.()
  }
  const back = marks.rows.length > 0 ? marks.clear : keyword !== '' ? () => search('') : onBack
  const backLabel = marks.rows.length > 0 ? t('ui.clearMarks') : keyword !== '' ? t('ui.endSearch') : t('ui.back')
  const allBindings: readonly KeyBinding[] = [
    ...bindings(cursor.row, list),
    bindKey('/', t('ui.search'), () => setFiltering(true)),
    ...(back ? [bindKey('escape', backLabel, back)] : []),
    ...(markable ? marks.bindings(t, { cursor, rows: currentWindow.rows }) : []),
    ...order.bindings(t, () => setPlace(FIRST_ROW)),
    bindKey('c', t('ui.clearSearchAndFilters'), clear, { quiet: true }),
    bindKey('r', t('ui.reload'), reload, { quiet: true }),
    ...cursor.bindings(t),
  ]
  useKeys(LAYER.screen, (press) => runBinding(allBindings, press), {
    active: over === undefined && !isFiltering && input === undefined,
    waiting:
      error === undefined &&
      (window === undefined || window === staleWindow || (window.total > 0 && cursor.row === undefined)),
  })

  if (over !== undefined) return over
  const notes = [
    window && `${window.total ? cursor.at + 1 : 0}/${window.total}`,
    window?.unsortedTotal !== undefined && t('ui.onlyTheFirstAreSorted', { total: window.unsortedTotal }),
    note,
    marks.rows.length > 0 && t('ui.marked', { count: marks.rows.length }),
    keyword && t('ui.searchNote', { keyword }),
    window && loading && t('ui.loadingNote'),
  ]
  const prompt = isFiltering ? (
    <FilterPrompt label={searched} initial={keyword} onFilter={search} onClose={() => setFiltering(false)} />
  ) : (
    input && <InputPrompt input={input} onClose={() => setInput(undefined)} />
  )
  return (
    <Frame title={title} note={notes.filter(Boolean).join(' · ')} bindings={allBindings} error={error} prompt={prompt}>
      {currentWindow.rows.length > 0 ? (
        <Rows
          rows={currentWindow.rows}
          first={currentWindow.first}
          columns={columns}
          cursor={cursor.at}
          isMarked={marks.has}
          order={order.current}
          height={height}
          width={width}
        />
      ) : (
        <Text dimColor>{` ${window ? (keyword ? t('ui.nothingFound') : empty) : loading ? t('ui.loading') : ''}`}</Text>
      )}
    </Frame>
  )
}

/** A change of several rows. */
interface EachChange<T> {
  /** Message while the changes run. */
  doing: string
  /** Changes one row. */
  changeOne(row: T): Promise<unknown>
  /** Returns the message after `count` changes. */
  doneText(count: number): string
}

/**
 * Changes rows one by one, and continues after failures. Returns the message. If there is only one row and it fails,
 * throws its failure.
 */
async function changeEach<T>(
  rows: readonly T[],
  { changeOne, doneText }: EachChange<T>,
  { reason, t }: Pick<UiState, 'reason' | 't'>,
): Promise<string | UiMessage> {
  const failures: unknown[] = []
  for (const row of rows) {
    try {
      await changeOne(row)
    } catch (error) {
      failures.push(error)
    }
  }
  if (failures.length === 0) return doneText(rows.length)
  if (rows.length === 1) throw failures[0]
  const changed = doneText(rows.length - failures.length)
  return {
    text: t('ui.failedFirstError', { changed, count: failures.length, reason: reason(failures[0]) }),
    tone: 'bad',
  }
}
