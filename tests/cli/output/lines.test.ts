import { expect, test } from 'vitest'
import type { Column } from '../../../cli/output/column.ts'
import { plainFormat } from '../../../cli/output/format.ts'
import { createLines } from '../../../cli/output/lines.ts'

interface Row {
  readonly name: string
  readonly cost: string
}
const COLUMNS: readonly Column<Row>[] = [
  { title: 'name', value: ({ name }) => name },
  { title: 'cost', value: ({ cost }) => cost, align: 'right' },
]

test('the header of a growing table aligns with its columns', () => {
  const rows: Row[] = [
    { name: 'a', cost: '1' },
    { name: 'a longer name', cost: '$12.000000' },
  ]
  const lines = createLines(COLUMNS, plainFormat())

  lines.fit(rows)

  expect([lines.titles(), ...rows.map(lines.line)]).toEqual([
    'NAME                 COST',
    'a                       1',
    'a longer name  $12.000000',
  ])
})
