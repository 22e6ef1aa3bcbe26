import type { Column } from './column.ts'
import type { Format } from './format.ts'

const MONEY = /\$\d+\.(\d+)/

/** Gives all money amounts of a column the same number of decimals, so that decimal points align. */
export function withOnePrecision<T>(column: Column<T>, rows: readonly T[], format: Format): Column<T> {
  const digits = rows.map((row) => MONEY.exec(column.value(row, format))?.[1]?.length ?? 0)
  const digitsMax = Math.max(0, ...digits)
  if (digits.every((count) => count === 0 || count === digitsMax)) return column
  const precise = format.withCents(digitsMax)
  return { ...column, value: (row) => column.value(row, precise) }
}
