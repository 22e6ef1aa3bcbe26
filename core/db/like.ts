import type { Knex } from 'knex'

// All LIKE conditions have an explicit escape character. Without ESCAPE, a backslash is an ordinary character in
// SQLite, but an escape character in PostgreSQL, which rejects a pattern that ends with a backslash.

/** Matches rows whose column contains the text. Ignores case (SQLite: only of ASCII). `%` and `_` are ordinary text. */
export function whereContains(query: Knex.QueryBuilder, column: string, text: string): void {
  query.whereRaw(`lower(??) LIKE lower(?) ESCAPE '\\'`, [column, `%${escapeWildcards(text)}%`])
}

/** Matches rows whose comma-separated list contains exactly this item. */
export function whereListed(query: Knex.QueryBuilder, column: string, item: string): void {
  // `replace` is case-sensitive in both databases. LIKE is case-sensitive only in PostgreSQL.
  query.whereRaw("replace(',' || ?? || ',', ?, '') <> ',' || ?? || ','", [column, `,${item},`, column])
}

/** Matches rows whose column starts with the text. */
export function whereStartsWith(query: Knex.QueryBuilder, column: string, text: string): void {
  whereLike(query, column, `${escapeWildcards(text)}%`)
}

/** Matches rows by a pattern: `%` is any text, `_` is any character. A backslash is an ordinary character. */
export function wherePattern(query: Knex.QueryBuilder, column: string, pattern: string): void {
  whereLike(query, column, pattern.replaceAll('\\', '\\\\'))
}

function whereLike(query: Knex.QueryBuilder, column: string, pattern: string): void {
  query.whereRaw(`?? LIKE ? ESCAPE '\\'`, [column, pattern])
}

function escapeWildcards(text: string): string {
  return text.replace(/[\\%_]/g, '\\$&')
}
