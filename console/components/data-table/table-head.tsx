import { IconCaretDown, IconCaretUp } from '@arco-design/web-react/icon'
import { useTranslation } from 'react-i18next'
import type { TableColumn } from './column.ts'
import type { CheckState } from './selection.ts'
import { nextSorting, type Sorting } from './sorting.ts'
import { Tick } from './table-row.tsx'

interface Props<Row> {
  columns: readonly TableColumn<Row>[]
  sorting: Sorting | undefined
  hasExpand: boolean
  /** Selection state of all rows on the page. Undefined: rows cannot be selected. */
  checkState: CheckState | undefined
  onTickAll: (on: boolean) => void
}

/** The column headers. Headers of sortable columns are buttons. */
export function TableHead<Row>({ columns, sorting, hasExpand, checkState, onTickAll }: Props<Row>) {
  const { t } = useTranslation()
  return (
    <thead>
      <tr aria-rowindex={1}>
        {checkState !== undefined && (
          <th className="table-check" scope="col">
            <Tick checkState={checkState} label={t('table.selectAll')} onChange={onTickAll} />
          </th>
        )}
        {hasExpand && <td className="table-expand" />}
        {columns.map((column) => (
          <HeadCell key={column.key} column={column} sorting={sorting} />
        ))}
      </tr>
    </thead>
  )
}

function HeadCell<Row>({ column, sorting }: { column: TableColumn<Row>; sorting: Sorting | undefined }) {
  const { title, align, fixed, sort } = column
  const className = `table-head-cell${align ? ` table-${align}` : ''}${fixed ? ` table-fixed-${fixed}` : ''}`
  if (sort === undefined || !sorting) {
    return (
      <th scope="col" className={className}>
        {title}
      </th>
    )
  }
  const isSorted = sorting.sort === sort
  const isAscending = sorting.order === 'asc'
  return (
    <th scope="col" className={className} aria-sort={isSorted ? (isAscending ? 'ascending' : 'descending') : 'none'}>
      <button
        type="button"
        className="table-sort"
        onClick={() => sorting.sortBy(...nextSorting(sorting, { sort, align }))}
      >
        {title}
        <span className={isSorted ? 'table-sort-mark' : 'table-sort-mark table-sort-idle'} aria-hidden="true">
          {isSorted && isAscending ? <IconCaretUp /> : <IconCaretDown />}
        </span>
      </button>
    </th>
  )
}
