import type { Knex } from 'knex'

/**
 * LIKE with an explicit escape character. Without one, SQLite takes a backslash as an ordinary character. PostgreSQL takes it
 * as an escape character, and fails if a pattern ends with it.
 */

/** Matches rows whose column contains the text, in any case. `%` and `_` in the text are not wildcards. */
export function whereContains(query: Knex.QueryBuilder, column: string, text: string): void {
  query.whereRaw(`lower(??) LIKE lower(?) ESCAPE '\\'`, [column, `%${literal(text)}%`])
}

/** Matches rows whose comma-separated list has exactly that entry. */
export function whereListed(query: Knex.QueryBuilder, column: string, entry: string): void {
  // Uses `replace`, which is case-sensitive in both databases. LIKE is case-sensitive only in PostgreSQL.
  query.whereRaw("replace(',' || ?? || ',', ?, '') <> ',' || ?? || ','", [column, `,${entry},`, column])
}

/** Matches rows whose column starts with the text. */
export function whereStartsWith(query: Knex.QueryBuilder, column: string, text: string): void {
  whereLike(query, column, `${literal(text)}%`)
}

/** Matches rows by a pattern of the caller: `%` is any text, `_` is any character. There is no escape character. */
export function wherePattern(query: Knex.QueryBuilder, column: string, pattern: string): void {
  whereLike(query, column, pattern.replaceAll('\\', '\\\\'))
}

function whereLike(query: Knex.QueryBuilder, column: string, pattern: string): void {
  query.whereRaw(`?? LIKE ? ESCAPE '\\'`, [column, pattern])
}

function literal(text: string): string {
  return text.replace(/[\\%_]/g, '\\$&')
}
