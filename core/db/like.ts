import type { Knex } from 'knex'

/*
 * LIKE with an explicit escape character. Without it, a backslash is an ordinary character in SQLite. In PostgreSQL, it is an
 * escape character that fails at the end of a pattern.
 */

/** Matches rows whose column contains the text, in any case. `%` and `_` in the text are not wildcards. */
export function whereContains(query: Knex.QueryBuilder, column: string, text: string): void {
  query.whereRaw(`lower(??) LIKE lower(?) ESCAPE '\\'`, [column, `%${literal(text)}%`])
}

/** Matches rows whose comma-separated list has exactly that entry. */
export function whereListed(query: Knex.QueryBuilder, column: string, entry: string): void {
  // `replace` is case-sensitive in both databases; LIKE only in PostgreSQL.
  query.whereRaw("replace(',' || ?? || ',', ?, '') <> ',' || ?? || ','", [column, `,${entry},`, column])
}

/** Matches rows whose column starts with the text. */
export function whereStartsWith(query: Knex.QueryBuilder, column: string, text: string): void {
  whereLike(query, column, `${literal(text)}%`)
}

/** Matches rows by the caller's own pattern: `%` is any text, `_` any character; there is no escape. */
export function wherePattern(query: Knex.QueryBuilder, column: string, pattern: string): void {
  whereLike(query, column, pattern.replaceAll('\\', '\\\\'))
}

function whereLike(query: Knex.QueryBuilder, column: string, pattern: string): void {
  query.whereRaw(`?? LIKE ? ESCAPE '\\'`, [column, pattern])
}

function literal(text: string): string {
  return text.replace(/[\\%_]/g, '\\$&')
}
