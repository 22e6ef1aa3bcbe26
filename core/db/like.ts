import type { Knex } from 'knex'

/*
 * LIKE with a named escape character: without one, a backslash is a character on SQLite, and on PostgreSQL an escape
 * that fails at the end of a pattern.
 */

/** Rows whose column has the text in it, in whatever case. What people type has no wildcards: `%` and `_` are letters. */
export function whereContains(query: Knex.QueryBuilder, column: string, text: string): void {
  query.whereRaw(`lower(??) LIKE lower(?) ESCAPE '\\'`, [column, `%${literal(text)}%`])
}

/** Rows whose comma list has that entry, whole and to the letter. */
export function whereListed(query: Knex.QueryBuilder, column: string, entry: string): void {
  // LIKE minds the case on PostgreSQL and not on SQLite; `replace` does on both.
  query.whereRaw("replace(',' || ?? || ',', ?, '') <> ',' || ?? || ','", [column, `,${entry},`, column])
}

/** Rows whose column starts with the text. */
export function whereStartsWith(query: Knex.QueryBuilder, column: string, text: string): void {
  whereLike(query, column, `${literal(text)}%`)
}

/** Rows that fit the caller's own pattern: `%` is any text, `_` any character, and nothing else is special. */
export function wherePattern(query: Knex.QueryBuilder, column: string, pattern: string): void {
  whereLike(query, column, pattern.replaceAll('\\', '\\\\'))
}

function whereLike(query: Knex.QueryBuilder, column: string, pattern: string): void {
  query.whereRaw(`?? LIKE ? ESCAPE '\\'`, [column, pattern])
}

function literal(text: string): string {
  return text.replace(/[\\%_]/g, '\\$&')
}
