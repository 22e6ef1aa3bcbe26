import type { TFunction } from 'i18next'
import type { ReactNode } from 'react'
import { DateTime } from '../date-time.tsx'
import { Quota } from '../quota.tsx'
import { isoTime } from '../times.ts'
import type { TableColumn } from './column.ts'
import { ACTIONS_PX } from './row-menu.tsx'

type Settings<Row> = Omit<TableColumn<Row>, 'render' | 'value'>

/** A column of times in unix seconds. If `none` is given, cells show `none` for times of 0 or less. */
export function timeColumn<Row>(
  settings: Settings<Row>,
  seconds: (row: Row) => number,
  none?: string,
): TableColumn<Row> {
  const isNone = (row: Row) => none !== undefined && seconds(row) <= 0
  return {
    ...settings,
    render: (row) => (isNone(row) ? none : <DateTime seconds={seconds(row)} />),
    value: (row) => (isNone(row) ? '' : isoTime(seconds(row))),
  }
}

/** A column of quota, which is shown as money and exported as a number. */
export function quotaColumn<Row>(settings: Settings<Row>, quota: (row: Row) => number): TableColumn<Row> {
  return { ...settings, align: 'right', render: (row) => <Quota value={quota(row)} />, value: quota }
}

/** A column of texts. Cells show a dash for an empty text. */
export function textColumn<Row>(settings: Settings<Row>, text: (row: Row) => string): TableColumn<Row> {
  return { ...settings, render: (row) => text(row) || '–', value: text }
}

/** A column of ids, with digits of equal width. */
export function idColumn<Row extends { id: number }>(settings: Omit<Settings<Row>, 'key' | 'sort'>): TableColumn<Row> {
  return {
    ...settings,
    key: 'id',
    sort: 'id',
    render: ({ id }) => <span className="number">{id}</span>,
    value: ({ id }) => id,
  }
}

/** The last column, with the buttons of a row. */
export function actionsColumn<Row>(t: TFunction, render: (row: Row) => ReactNode): TableColumn<Row> {
  return {
    key: 'actions',
    early: true,
    title: t('action.actions'),
    fixedPlace: true,
    fixed: 'right',
    align: 'right',
    width: ACTIONS_PX,
    render,
  }
}
