import { expect, test } from 'vitest'
import { createColors } from '../../../cli/colors.ts'
import { futureTime, pastTime, wholeNumber } from '../../../cli/input/arguments.ts'
import type { Column } from '../../../cli/output/column.ts'
import { createFormat, type Format } from '../../../cli/output/format.ts'
import { sanitizeName, stripControlChars } from '../../../cli/output/sanitize.ts'
import { renderTable } from '../../../cli/output/table.ts'
import { ENGLISH } from '../../../cli/texts.ts'

const plain = createColors(false)
const format = (terminal: boolean) =>
  createFormat({ terminal, color: plain, quotaPerUnit: 500_000, now: 1_000_000_000, texts: ENGLISH })

test.each([
  [500_000, '500000 ($1.00)'],
  [0, '0 ($0.00)'],
  [13, '13 ($0.000026)'],
  [-750_000, '-750000 (-$1.50)'],
])('quota %i reads %s', (quota, text) => {
  expect(format(false).quota(quota)).toBe(text)
})

test('times are relative on a terminal and ISO in a pipe', () => {
  expect(format(true).time(1_000_000_000 - 3 * 3600)).toBe('3h ago')
  expect(format(true).time(1_000_000_000 + 2 * 86_400)).toBe('in 2d')
  expect(format(false).time(1_000_000_000)).toBe('2001-09-09T01:46:40Z')
})

test('a whole number is only digits', () => {
  const parse = wholeNumber({ min: 0, max: 100 })
  expect(parse('100')).toBe(100)
  for (const text of ['', ' ', '1e1', '0x10', '1.0', '+1', '１', '101', '-1']) expect(() => parse(text)).toThrow()
})

test('times are durations or existing dates', () => {
  const now = Math.floor(Date.now() / 1000)
  expect(Math.abs(pastTime('2w') - (now - 1_209_600))).toBeLessThan(3)
  expect(pastTime('2026-01-31T10:00:00Z')).toBe(Date.UTC(2026, 0, 31, 10) / 1000)
  expect(pastTime('2026-01-31')).toBe(new Date(2026, 0, 31).getTime() / 1000)
  expect(futureTime('never')).toBe(-1)
  for (const text of ['', '1', 'h', '1.5h', '2026-02-31', '2026-13-01', '31.01.2026'])
    expect(() => pastTime(text)).toThrow()
  expect(() => futureTime('2020-01-01')).toThrow()
})

type Row = { id: number; name: string }
const COLUMNS: readonly Column<Row>[] = [
  { name: 'id', value: ({ id }) => String(id), align: 'right' },
  { name: 'name', value: ({ name }) => name, cut: true },
]
const ROWS = [
  { id: 7, name: 'a name that is longer than the terminal is wide' },
  { id: 42, name: '中文名称' },
]

test('a table is complete in a pipe and cut to the width of a terminal', () => {
  expect(renderTable(ROWS, COLUMNS, { format: format(false), width: undefined }).text.split('\n')).toEqual([
    'ID  NAME',
    ' 7  a name that is longer than the terminal is wide',
    '42  中文名称',
  ])
  const cut = renderTable(ROWS, COLUMNS, { format: format(true), width: 24 }).text.split('\n')
  expect(cut[1]).toMatch(/^ 7 {2}a name that is .*…$/)
  for (const line of cut) expect(line.length).toBeLessThanOrEqual(24)
})

test('a table of hundreds of rows has constant column widths, and nothing is cut', () => {
  const names = ['short', '𠀀𠀁 beyond the plane', '❤️ and 1️⃣', 'é combined']
  const rows = Array.from({ length: 300 }, (_, at) => ({ id: at, name: names[at % names.length] ?? '' }))
  const columns = [...COLUMNS, { name: 'end', value: () => 'end' }]
  const lines = renderTable(rows, columns, { format: format(false), width: undefined }).text.split('\n')
  expect(lines).toHaveLength(301)
  expect(lines[0]?.indexOf('END')).toBe(lines[1]?.indexOf('end'))
  expect(lines[1]?.indexOf('end')).toBe(lines[297]?.indexOf('end'))
  expect(lines.filter((line) => line.includes('…'))).toEqual([])
})

test('a name has no invisible characters, except joiners of emoji and letters', () => {
  expect(sanitizeName('a\u202edmin\u2066x\u2028y')).toBe('a dmin x y')
  expect(sanitizeName('ad\u200bmin ad\u00admin \ufeffx a\u200db a\u200cb \u{e0041}')).toBe('ad min ad min  x a b a b  ')
  const joined = ['👩‍💻', '👩🏽‍🚀', '🏳️‍🌈', '🏴󠁧󠁢󠁥󠁮󠁧󠁿', 'می\u200cخواهم', 'क्\u200dष', '监听', 'e\u0301']
  expect(joined.map(sanitizeName)).toEqual(joined)
})

test('a name cannot contain control sequences', () => {
  const table = renderTable([{ id: 1, name: 'x\u001b[2J\ny' }], COLUMNS, { format: format(true), width: 80 }).text
  expect(table).not.toContain('\u001b[2J')
  expect(table.split('\n')).toHaveLength(2)
})

test('terminal output keeps lines and colors, and removes other control sequences', () => {
  expect(stripControlChars('\u001b[31mred\u001b[39m\n\tx\u001b[2J\u009b2J')).toBe('\u001b[31mred\u001b[39m\n\tx [2J 2J')
})

test('amounts of one column have the same precision, and a single record its own', () => {
  const columns = [
    { name: 'model', value: ({ model }: { model: string }) => model },
    {
      name: 'cost',
      value: ({ cost }: { cost: number }, { quota }: Format) => quota(cost),
      align: 'right' as const,
    },
  ]
  const rows = [
    { model: 'dear', cost: 2_500_000 },
    { model: 'cheap', cost: 220 },
    { model: 'free', cost: 0 },
  ]
  const format = createFormat({ terminal: false, color: createColors(false), quotaPerUnit: 500_000, texts: ENGLISH })
  expect(renderTable(rows, columns, { format, width: undefined }).text.split('\n')).toEqual([
    'MODEL                COST',
    'dear   2500000 ($5.00000)',
    'cheap      220 ($0.00044)',
    'free         0 ($0.00000)',
  ])
})
