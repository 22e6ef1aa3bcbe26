import { Text } from 'ink'
import { type ReactNode, useCallback, useState } from 'react'
import type { Page } from '../../core/input.ts'
import type { Column } from '../column.ts'
import { type Binding, runBinding } from './bindings.ts'
import { useDesk, type Work } from './desk.ts'
import { Frame, useBody } from './frame.tsx'
import { LAYER, useKeys } from './keys.tsx'
import { Prompt } from './prompt.tsx'
import { Rows } from './rows.tsx'
import { useCursor } from './use-cursor.ts'
import { useLoaded } from './use-loaded.ts'

/** Rows of a page; those that are not seen are scrolled to. */
export const PAGE_SIZE = 100

export interface ListQuery {
  page: number
  pageSize: number
  keyword: string
}

/** What the keys of a screen can do with its list. */
export interface ListControl {
  reload(): void
  /** Puts something over the list, such as a form; `close` takes it away. */
  show(over: ReactNode): void
  close(): void
  /** Shows all again, from the first page. */
  clearSearch(): void
  /** Does something, says how it went, and looks again. */
  act(doing: string, work: Work): void
}

interface Props<T> {
  title: string
  columns: readonly Column<T>[]
  /** Another function loads anew, from the first page. */
  load(query: ListQuery): Promise<Page<T>>
  keyOf(row: T): string | number
  /** What a list without rows says. */
  empty: string
  /** What `/` looks for. */
  searched: string
  /** Filters in force. */
  note?: string | undefined
  everyMs?: number | undefined
  bindings(selected: T | undefined, list: ListControl): readonly Binding[]
}

/** A list with a cursor, pages and a search; what its keys do besides is up to the screen. */
export function ListScreen<T>(props: Props<T>) {
  const { title, columns, load, keyOf, empty, searched, note, everyMs, bindings } = props
  const desk = useDesk()
  const { width, height } = useBody()
  const [over, setOver] = useState<ReactNode>()
  const [searching, setSearching] = useState(false)
  const [query, setQuery] = useState({ load, keyword: '', page: 1 })
  if (query.load !== load) setQuery({ ...query, load, page: 1 })

  const { keyword, page } = query
  const fetch = useCallback(
    async () => ({ query: { load, keyword, page }, answer: await load({ page, pageSize: PAGE_SIZE, keyword }) }),
    [load, page, keyword],
  )
  const loaded = useLoaded(fetch, { everyMs, hidden: over !== undefined })
  const { error, loading, reload } = loaded
  // Rows of another page or search are not shown under this title: a key would be for a row that nobody meant.
  const asked = loaded.data?.query
  const current = asked?.load === load && asked.keyword === keyword && asked.page === page
  const data = current ? loaded.data?.answer : undefined
  const rows = data?.items ?? []
  const cursor = useCursor({ rows, keyOf, page: height - 1 })
  const pages = Math.max(1, Math.ceil((data?.total ?? 0) / PAGE_SIZE))

  const list: ListControl = {
    reload,
    show: setOver,
    close: () => setOver(undefined),
    clearSearch: () => setQuery({ ...query, keyword: '', page: 1 }),
    act: (doing, work) => desk.act(doing, () => work().finally(reload)),
  }
  const turn = (by: number) => setQuery({ ...query, page: Math.min(pages, Math.max(1, page + by)) })
  const { text } = desk
  const all: readonly Binding[] = [
    ...bindings(rows[cursor.at], list),
    { keys: ['/'], shown: '/', label: text('search'), run: () => setSearching(true) },
    { keys: ['r'], shown: 'r', label: text('reload'), run: reload },
    ...cursor.bindings(text),
    ...(pages > 1
      ? [
          { keys: ['n'], shown: 'n', label: text('next page'), run: () => turn(1) },
          { keys: ['p'], shown: 'p', label: text('page before'), run: () => turn(-1) },
        ]
      : []),
    ...(keyword !== ''
      ? [
          {
            keys: ['escape'],
            shown: 'Esc',
            label: text('end the search'),
            run: list.clearSearch,
          },
        ]
      : []),
  ]
  useKeys(LAYER.screen, (press) => runBinding(all, press), { active: over === undefined && !searching })

  if (over !== undefined) return over
  const count = data ? `${rows.length ? cursor.at + 1 : 0}/${data.total}` : undefined
  const notes = [
    count,
    pages > 1 && desk.say`page ${page} of ${pages}`,
    note,
    keyword && desk.say`search: ${keyword}`,
    data && loading && text('loading'),
  ]
  return (
    <Frame
      title={title}
      note={notes.filter(Boolean).join(' · ')}
      bindings={all}
      error={error}
      prompt={
        searching && (
          <Prompt
            label={searched}
            initial={keyword}
            onEnter={(words) => {
              setSearching(false)
              setQuery({ ...query, keyword: words.trim(), page: 1 })
            }}
            onEscape={() => setSearching(false)}
          />
        )
      }
    >
      {rows.length > 0 ? (
        <Rows rows={rows} columns={columns} cursor={cursor.at} height={height} width={width} />
      ) : (
        <Text
          dimColor
        >{` ${data ? (keyword ? text('Nothing is found.') : empty) : loading ? text('Loading …') : ''}`}</Text>
      )}
    </Frame>
  )
}
