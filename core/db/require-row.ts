/** Returns a row that this transaction wrote, or to which another row refers. Throws if the row is missing, which is a defect. */
export function requireRow<Row>(row: Row): NonNullable<Row> {
  if (row === undefined || row === null) throw new Error('a row that must exist is missing')
  return row
}
