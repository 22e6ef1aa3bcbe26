import type { ColumnProps } from '@arco-design/web-react/es/Table'
import type { ReactNode } from 'react'

export interface Column<Row> extends Omit<ColumnProps<Row>, 'title' | 'key' | 'render' | 'dataIndex'> {
  /** Names the column where it is stored which ones are shown. */
  key: string
  title: string
  render: (row: Row, place: number) => ReactNode
  /** The plain value, for CSV; a column without one is not exported. */
  value?: (row: Row) => string | number | boolean
  /** Not shown until it is chosen. */
  hidden?: true
  /** Not shown on a phone until it is chosen. */
  wideOnly?: true
  /** On a phone or tablet it comes before the others, as do what names a record, its state and its buttons. */
  early?: true
  /** Cannot be hidden, such as the one with the buttons. */
  fixedPlace?: true
}
