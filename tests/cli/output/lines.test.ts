import { expect, test } from 'vitest'
import { LOG_COLUMNS } from '../../../cli/columns/log.ts'
import type { Column } from '../../../cli/output/column.ts'
import { plainFormat } from '../../../cli/output/format.ts'
import { createLines } from '../../../cli/output/lines.ts'
import type { Log } from '../../../core/logs/log.ts'

interface Row {
  readonly name: string
  readonly cost: string
}
const COLUMNS: readonly Column<Row>[] = [
  { name: 'name', value: ({ name }) => name },
  { name: 'cost', value: ({ cost }) => cost, align: 'right' },
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

test('later rows align with the header that was printed before them', () => {
  const columns = COLUMNS.map((column) => ({ ...column, room: 14 }))
  const lines = createLines(columns, plainFormat())
  lines.fit([{ name: 'a', cost: '1' }])

  const printed = [lines.titles(), lines.line({ name: 'consumption', cost: '$12.000000' })]

  expect(printed).toEqual(['NAME                      COST', 'consumption         $12.000000'])
})

test('the log has room for each type, user and usual cost, so that log tail -f keeps its columns', () => {
  const row = { id: 1, type: 5, created_at: 1, username: 'root', model_name: '', token_name: '', content: 'x' } as Log
  const spent = { ...row, id: 999_999, type: 2, username: 'twelve-chars', model_name: 'text-embedding-3-small' }
  const lines = createLines(LOG_COLUMNS, plainFormat())
  lines.fit([row])
  const titles = lines.titles()

  const later = lines.line({ ...spent, quota: 123_456, use_time: 120, prompt_tokens: 9, completion_tokens: 9 } as Log)

  for (const [title, value] of [
    ['TYPE', 'consumption'],
    ['USER', 'twelve-chars'],
    ['MODEL', 'text-embedding-3-small'],
    ['REMARK', 'x'],
  ] as const) {
    expect({ title, at: titles.indexOf(title) }).toEqual({ title, at: later.lastIndexOf(value) })
  }
})
