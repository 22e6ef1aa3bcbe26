import Button from '@arco-design/web-react/es/Button'
import Message from '@arco-design/web-react/es/Message'
import Pagination from '@arco-design/web-react/es/Pagination'
import Skeleton from '@arco-design/web-react/es/Skeleton'
import { IconDownload, IconRefresh } from '@arco-design/web-react/icon'
import { type ReactNode, type RefObject, useDeferredValue, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { failureText } from '../../api/failure.ts'
import { useNarrow } from '../../layout/narrow.ts'
import { EmptyState } from '../empty-state.tsx'
import { LoadFailure } from '../load-failure.tsx'
import { PAGE_SIZES, type PagingState } from '../paging.ts'
import { useAction } from '../saving.ts'
import type { TableColumn } from './column.ts'
import { ColumnChooser } from './column-chooser.tsx'
import { saveCsv, saveCsvParts } from './csv.ts'
import './data-table.css'
import './cards.css'
import type { EveryPage } from './every-page.ts'
import { childrenOf } from './row-items.ts'
import { controlsWidthOf, type GridProps, TableGrid } from './table-grid.tsx'
import { useVisibleColumns } from './visible-columns.ts'

/** The result of a list's hook, compatible with react-query's `useQuery`. */
interface Listing<Row> {
  data: { items: Row[]; total: number } | undefined
  error: unknown
  isFetching: boolean
  /** True while `data` has the rows of the previous page or filter. */
  isPlaceholderData?: boolean
  refetch: () => unknown
}

interface Props<Row> extends Omit<GridProps<Row>, 'rows'> {
  /** Name of the export file, and of the column choice stored in this browser. */
  name: string
  listing: Listing<Row>
  /** True if filters are active. An empty table then reports that no row matches. */
  filtered?: boolean
  /** Absent: all rows are on one page. */
  paging?: PagingState
  /** Buttons and filters above the table, left of the table's own buttons. */
  toolbar?: ReactNode
  /** Loads all matching rows, at once or in parts. Absent: exports contain the rows of the current page. */
  allRows?: () => Promise<EveryPage<Row>> | AsyncIterable<Row[]>
}

const NO_ROWS: never[] = []

/** A list of records. Loading, errors, empty states, columns, paging, shortcuts and export are alike on all screens. */
export function DataTable<Row>({
  name,
  listing,
  paging,
  toolbar,
  allRows,
  columns,
  filtered = false,
  ...grid
}: Props<Row>) {
  const { t } = useTranslation()
  const { error, isFetching, isPlaceholderData = false, refetch } = listing
  // If the next page or filter fails to load, the table keeps the rows that it showed before.
  const [lastData, setLastData] = useState(listing.data)
  if (listing.data && listing.data !== lastData) setLastData(listing.data)
  const data = listing.data ?? (error ? lastData : undefined)
  const rows = data?.items ?? NO_ROWS
  // When data first arrives, render the table with low priority, so that the browser can paint and handle input.
  const ready = useDeferredValue(data !== undefined)
  const cards = useNarrow()
  const frame = useRef<HTMLDivElement>(null)
  // This is state instead of a ref, because the rows must rerender when the scroll container is mounted.
  const [scroll, setScroll] = useState<HTMLElement | null>(null)
  const width = useWidth(frame)
  const hasExpand = grid.expandedRowRender !== undefined || rows.some(childrenOf)
  const controlsWidth = controlsWidthOf({ selection: grid.selection !== undefined, hasExpand })
  const columnsWidth = width === undefined ? undefined : width - FRAME_PX - controlsWidth
  const { keys, visible, choose } = useVisibleColumns(name, columns, { width: columnsWidth, cards })
  useLastPage(data, paging, isFetching)

  return (
    <div ref={frame} className={cards ? 'data-table table-cards' : 'data-table'} aria-busy={isFetching}>
      <div className="data-table-bar">
        <div className="data-table-tools">{toolbar}</div>
        <div className="data-table-tools">
          <Button
            icon={<IconRefresh spin={isFetching} />}
            aria-label={t('action.refresh')}
            title={t('action.refresh')}
            onClick={() => void refetch()}
          />
          <ColumnChooser columns={columns} visible={keys} onChange={choose} />
          <ExportButton
            name={name}
            columns={visible}
            allRows={allRows ?? (async () => ({ rows: data?.items ?? [], cut: false }))}
            disabled={!data?.items.length}
          />
        </div>
      </div>
      {error !== null && error !== undefined && <LoadFailure error={error} onRetry={() => void refetch()} />}
      {!ready && !error && <Skeleton animation text={{ rows: 8, width: '100%' }} />}
      {/* After an error, an empty list may be outdated, so do not show the empty state. */}
      {ready && data && !(error && data.items.length === 0) && (
        <>
          <section
            ref={setScroll}
            className="data-table-scroll"
            // biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable regions must be reachable by keyboard
            tabIndex={0}
            aria-label={t('table.scroll', { name: grid.title })}
          >
            <TableGrid<Row>
              {...grid}
              empty={filtered ? <EmptyState title={t('table.noMatch')} hint={t('table.noMatchHint')} /> : grid.empty}
              columns={visible}
              rows={rows}
              frame={frame}
              scroll={scroll}
              sorting={paging}
              cards={cards}
              stale={isPlaceholderData && isFetching}
            />
          </section>
          {paging && <Pages paging={paging} total={data.total} />}
        </>
      )}
    </div>
  )
}

/** Left and right padding of the list's frame together. */
const FRAME_PX = 32

/** Goes to the last page if the current page no longer exists, such as after its rows were deleted. */
function useLastPage(data: { total: number } | undefined, paging: PagingState | undefined, isFetching: boolean): void {
  const pages = data && paging ? Math.max(1, Math.ceil(data.total / paging.pageSize)) : undefined
  const isBeyondLast = pages !== undefined && !isFetching && paging !== undefined && paging.page > pages
  useEffect(() => {
    if (isBeyondLast) paging.go(pages, paging.pageSize, { replace: true })
  }, [isBeyondLast, paging, pages])
}

function Pages({ paging, total }: { paging: PagingState; total: number }) {
  const { t } = useTranslation()
  return (
    <Pagination
      className="data-table-pages"
      size="small"
      current={paging.page}
      pageSize={paging.pageSize}
      total={total}
      sizeOptions={[...PAGE_SIZES]}
      sizeCanChange
      showTotal={(total) => t('table.total', { total })}
      selectProps={{ 'aria-label': t('table.pageSize') } as object}
      onChange={(page, pageSize) => paging.go(page, pageSize)}
    />
  )
}

/** Returns the current width of an element in whole pixels; undefined until it is mounted. */
function useWidth(element: RefObject<HTMLElement | null>): number | undefined {
  const [width, setWidth] = useState<number>()
  useLayoutEffect(() => {
    const measured = element.current
    if (!measured) return
    setWidth(Math.floor(measured.clientWidth))
    const observer = new ResizeObserver(() => setWidth(Math.floor(measured.clientWidth)))
    observer.observe(measured)
    return () => observer.disconnect()
  }, [element])
  return width
}

interface ExportButtonProps<Row> {
  /** File name without extension. */
  name: string
  columns: readonly TableColumn<Row>[]
  /** Loads all rows at once, or yields the rows in parts if there may be very many rows. */
  allRows: () => Promise<EveryPage<Row>> | AsyncIterable<Row[]>
  disabled: boolean
}

/** Exports the visible columns of all rows that match the filters. */
function ExportButton<Row>({ name, columns, allRows, disabled }: ExportButtonProps<Row>) {
  const { t } = useTranslation()
  const exportAction = useAction({
    run: async () => {
      const result = allRows()
      if (Symbol.asyncIterator in result) return saveCsvParts(name, columns, result)
      const { rows, cut, failure } = await result
      saveCsv(name, columns, rows)
      const count = rows.length
      if (failure !== undefined) {
        Message.warning(t('table.exportBroken', { count, reason: failureText(t, failure) }))
      } else if (cut) Message.warning(t('table.exportCut', { count }))
    },
  })
  return (
    <Button
      icon={<IconDownload />}
      loading={exportAction.isPending}
      disabled={disabled}
      aria-label={t('table.export')}
      title={t('table.export')}
      onClick={() => exportAction.mutate()}
    />
  )
}
