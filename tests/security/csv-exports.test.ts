import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { csvLine } from '../../cli/output/output-file.ts'
import { toCsv } from '../../console/components/data-table/csv.ts'
import { BACKINGS, openBacking } from '../cli/backings.ts'

/** What users may have typed, and what an export writes of it. */
const CELLS: readonly (readonly [typed: string, written: string])[] = [
  ['a\u001b[2Jb', 'a [2Jb'],
  ['a\u0000b\u0007', 'a b '],
  ['a\u009b31mb', 'a 31mb'],
  ['a\r\nb\u2028c\u0085d', 'a b c d'],
  ['a\u202eb\u2066c', 'a b c'],
  ['=1+1', "'=1+1"],
  ['+cmd', "'+cmd"],
  ['-cmd', "'-cmd"],
  ['@SUM(A1)', "'@SUM(A1)"],
  ['\t=1+1', "' =1+1"],
  ['\u0001=1+1', "' =1+1"],
  ['  =1+1', "'  =1+1"],
  ['\uff1d1+1', "'\uff1d1+1"],
  ['a,"b', '"a,""b"'],
  ['plain', 'plain'],
]

test.each(CELLS)(
  '%j is no formula and no control sequence, in CSV files of the command line and the console',
  (typed, written) => {
    expect(csvLine([typed, typed])).toBe(`${written},${written}`)
    const column = { key: 'name', title: 'Name', render: () => null, value: (row: string) => row }
    expect(toCsv([column], [typed])).toBe(`\uFEFFName\r\n${written}\r\n`)
  },
)

test('numbers stay numbers', () => {
  expect(csvLine(['-5', '-1.25', '-'])).toBe('-5,-1.25,-')
  const column = { key: 'name', title: 'Name', render: () => null, value: (row: number) => row }
  expect(toCsv([column], [-5])).toContain('\r\n-5\r\n')
})

test.each(BACKINGS)('an export over a %s has no control characters', async (kind) => {
  const fixture = await openBacking(kind)
  await fixture.inside(({ db }) =>
    db.transaction(async (trx) => {
      const typed = '=1+1\u001b[2J\r\n\u0007\u009b'
      await trx('logs').insert({
        user_id: 1,
        username: 'root',
        type: 4,
        content: typed,
        model_name: typed,
        created_at: 1,
      })
      await trx('users').where({ id: 1 }).update({ display_name: typed })
    }),
  )

  await fixture.run(['log', 'export', '--output', 'logs.csv'])
  await fixture.run(['user', 'list', '--output', 'users.csv'])

  for (const name of ['logs.csv', 'users.csv']) {
    const text = await readFile(join(fixture.folder, name), 'utf8')
    expect(text).toContain("'=1+1")
    // biome-ignore lint/suspicious/noControlCharactersInRegex: that is what must not be there.
    expect(text).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f]/)
    expect(
      text
        .trim()
        .split('\n')
        .every((line) => /^[\w,]/.test(line)),
    ).toBe(true)
  }
})
