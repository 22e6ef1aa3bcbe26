/** Returns a row that this transaction wrote, or to which another row refers. Throws if it does not exist: a defect. */
export function requireRow<Row>(row: Row): NonNullable<Row> {
  if (row === undefined || row === null) throw new Error('a row that must exist is missing')
  return row
}
