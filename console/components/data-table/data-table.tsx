import Button from '@arco-design/web-react/es/Button'
import Skeleton from '@arco-design/web-react/es/Skeleton'
import Table, { type TableProps } from '@arco-design/web-react/es/Table'
import { IconMinus, IconPlus, IconRefresh } from '@arco-design/web-react/icon'
import { type ReactNode, useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useCompact } from '../../layout/narrow.ts'
import { LoadFailure } from '../load-failure.tsx'
import { PAGE_SIZES, type Paging } from '../paging.ts'
import type { Column } from './column.ts'
import { ColumnChooser } from './column-chooser.tsx'
import './data-table.css'
import type { EveryPage } from './every-page.ts'
import { ExportButton } from './export-button.tsx'
import { useShownColumns } from './shown-columns.ts'

/** As the hook of a list answers it; what react-query's `useQuery` answers will do. */
interface Listing<Row> {
  data: { items: Row[]; total: number } | undefined
  error: unknown
  isFetching: boolean
  refetch: () => unknown
}

interface Props<Row>
  extends Pick<
    TableProps<Row>,
    'expandedRowRender' | 'expandProps' | 'rowClassName' | 'childrenColumnName' | 'defaultExpandAllRows' | 'virtualized'
  > {
  /** Names the table for screen readers, and its file. */
  title: string
  /** Names it where this browser stores its columns. */
  name: string
  rowKey: string | ((row: Row) => string | number)
  columns: readonly Column<Row>[]
  listing: Listing<Row>
  /** Absent: all rows are on one page. */
  paging?: Paging
  selection?: {
    keys: (string | number)[]
    onChange: (keys: (string | number)[], rows: Row[]) => void
    /** To select a row is to select those below it. */
    withChildren?: true
    /** What is selected stays when the page changes. */
    acrossPages?: true
  }
  /** Buttons and filters that stand above, left of the table's own. */
  toolbar?: ReactNode
  /** What to say, and what to do next, when there is nothing. */
  empty: ReactNode
  /** Whatever the filters find, at once or in batches; absent: the rows on this page are exported. */
  allRows?: () => Promise<EveryPage<Row>> | AsyncIterable<Row[]>
}

/** A list of records: waiting, failing and empty look the same on every screen, and so do columns, paging and export. */
export function DataTable<Row>({
  title,
  name,
  rowKey,
  columns,
  listing,
  paging,
  selection,
  toolbar,
  empty,
  allRows,
  ...rest
}: Props<Row>) {
  const { t } = useTranslation()
  const { keys, shown, choose } = useShownColumns(name, columns)
  const { error, isFetching, refetch } = listing
  // While the next page or filter cannot be had, what was there last stays.
  const [last, setLast] = useState(listing.data)
  if (listing.data && listing.data !== last) setLast(listing.data)
  const data = listing.data ?? (error ? last : undefined)
  const compact = useCompact()
  // By its key: what Arco hands back is a copy.
  const placeOf = (row: Row) => (data?.items ?? []).findIndex((item) => keyOf(rowKey, item) === keyOf(rowKey, row)) + 1

  // The last rows of the last page were deleted, or the address names a page that there is not.
  const pages = data && paging ? Math.max(1, Math.ceil(data.total / paging.pageSize)) : undefined
  const beyond = pages !== undefined && !isFetching && paging !== undefined && paging.page > pages
  useEffect(() => {
    if (beyond) paging.go(pages, paging.pageSize, { replace: true })
  }, [beyond, paging, pages])

  return (
    <div className="data-table" aria-busy={isFetching}>
      <div className="data-table-bar">
        <div className="data-table-tools">{toolbar}</div>
        <div className="data-table-tools">
          <Button
            icon={<IconRefresh spin={isFetching} />}
            aria-label={t('action.refresh')}
            title={t('action.refresh')}
            onClick={() => void refetch()}
          />
          <ColumnChooser columns={columns} shown={keys} onChange={choose} />
          <ExportButton
            name={name}
            columns={shown}
            allRows={allRows ?? (async () => ({ rows: data?.items ?? [], cut: false }))}
            disabled={!data?.items.length}
          />
        </div>
      </div>
      {error !== null && error !== undefined && <LoadFailure error={error} onRetry={() => void refetch()} />}
      {!data && !error && <Skeleton animation text={{ rows: 8, width: '100%' }} />}
      {/* What was empty before may not be now: where that cannot be known, nothing is said. */}
      {data && !(error && data.items.length === 0) && (
        <section
          className="data-table-scroll"
          // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls sideways must be reachable with the keyboard
          tabIndex={0}
          aria-label={t('table.scroll', { name: title })}
        >
          <Table<Row>
            {...rest}
            rowKey={rowKey as TableProps<Row>['rowKey'] & {}}
            size="small"
            border={false}
            scroll={{ x: 'max-content' }}
            data={data.items}
            columns={shown.map(
              ({ render, value: _, hidden: _h, wideOnly: _w, early: _e, fixedPlace: _f, fixed, ...column }) => ({
                ...column,
                // On a phone or tablet a column that stays would cover the others.
                ...(fixed && !compact && { fixed }),
                render: (_cell, row, place) => render(row, place),
              }),
            )}
            {...(rest.expandedRowRender && {
              expandProps: {
                width: 40,
                icon: ({ expanded, record, ...button }) => (
                  <button
                    type="button"
                    {...button}
                    aria-expanded={expanded}
                    aria-label={t('table.rowDetails', { row: placeOf(record as Row) })}
                  >
                    {expanded ? <IconMinus /> : <IconPlus />}
                  </button>
                ),
                ...rest.expandProps,
              },
            })}
            noDataElement={<div className="data-table-empty">{empty}</div>}
            {...(selection && {
              rowSelection: {
                fixed: !compact,
                checkStrictly: !selection.withChildren,
                selectedRowKeys: selection.keys,
                onChange: (keys: (string | number)[], rows: Row[]) => selection.onChange(keys, rows),
                preserveSelectedRowKeys: selection.acrossPages ?? false,
                checkCrossPage: selection.acrossPages ?? false,
                checkboxProps: (row: Row) => ({ 'aria-label': t('table.selectRow', { row: placeOf(row) }) }) as object,
              },
            })}
            pagination={
              paging
                ? {
                    current: paging.page,
                    pageSize: paging.pageSize,
                    total: data.total,
                    sizeOptions: [...PAGE_SIZES],
                    sizeCanChange: true,
                    showTotal: (total) => t('table.total', { total }),
                    selectProps: { 'aria-label': t('table.pageSize') } as object,
                    onChange: (page, pageSize) => paging.go(page, pageSize),
                    hideOnSinglePage: false,
                  }
                : false
            }
          />
        </section>
      )}
    </div>
  )
}

/** The key of a row, as Arco reads it. */
function keyOf<Row>(rowKey: Props<Row>['rowKey'], row: Row): unknown {
  return typeof rowKey === 'string' ? row[rowKey as keyof Row] : rowKey(row)
}
