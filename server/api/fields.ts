/** Request fields that several resources share. Their bounds come from the database columns. */
import { Type } from 'typebox'
import type { Sort } from '../../core/db/page.ts'
import { ID_MAX, QUOTA_MAX } from '../../core/input.ts'

export const Id = Type.Integer({ minimum: 0, maximum: ID_MAX })
export const IdParams = Type.Object({ id: Id })

/** Returns an optional field for a value of a 32-bit column, such as an id or a status. */
export const int32Field = (description: string, minimum = 0) =>
  Type.Optional(Type.Integer({ minimum, maximum: ID_MAX, description }))

/** Returns the query fields of a time range, in `unit`. */
export function rangeFields(unit: 'seconds' | 'milliseconds') {
  const time = Type.Optional(Type.Integer({ description: `unix ${unit}, inclusive; 0 is open` }))
  return { start_timestamp: time, end_timestamp: time }
}

/** Query fields that select a page. */
export const PageFields = {
  p: Type.Optional(Type.Integer({ description: 'from 1' })),
  page_size: Type.Optional(Type.Integer()),
}

/**
 * Renames the page fields of a query for core. Defaults: the first page, and core's default size. Keeps other fields.
 */
export const pagingOf = <T extends { p?: number; page_size?: number }>({ p = 1, page_size = 0, ...filter }: T) => ({
  ...filter,
  page: p,
  pageSize: page_size,
})

/** The schema accepts negative values, because core rejects them with its own errors. */
export const QUOTA_SCHEMA = Type.Integer({ minimum: -QUOTA_MAX, maximum: QUOTA_MAX })

export const sortQueryFields = <Column extends string>(columns: readonly Column[]) => ({
  sort: Type.Optional(Type.Enum(columns as [Column, ...Column[]], { description: 'the column to sort by' })),
  order: Type.Optional(Type.Enum(['asc', 'desc'], { description: 'used only with sort; absent: desc' })),
})

export const sortOf = <Column extends string>({ sort, order }: Sort<Column>): Sort<Column> => ({
  ...(sort && { sort }),
  ...(order && { order }),
})

/** A short text such as a name. Core checks the exact length. */
export const Text = Type.String({ maxLength: 1000 })

/**
 * Returns the schema of a text. Its maximum length is above the limit of every field, so that core reports texts that
 * are too long.
 */
export const textSchema = (description?: string) =>
  Type.String({ maxLength: 1024, ...(description && { description }) })

/** Query field for calls whose documented reply has no data. With `answer=record`, such a call returns the record. */
export const AnswerMode = {
  answer: Type.Optional(Type.Literal('record', { description: 'return the record itself' })),
}
