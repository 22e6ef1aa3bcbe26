/** Returns a row that must exist, because this transaction wrote it or another row refers to it. Otherwise throws. */
export function requireRow<Row>(row: Row): NonNullable<Row> {
  if (row === undefined || row === null) throw new Error('a row that must exist is missing')
  return row
}
