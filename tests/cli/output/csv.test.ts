import { describe, expect, test } from 'vitest'
import { readCsv } from '../../../cli/output/csv.ts'

describe('readCsv', () => {
  test('cells may be quoted and contain commas, quotes and line breaks; each row has its line number', () => {
    expect(readCsv('a,b\r\n1,"x,\n""y"""\n\n{"k":"v"},\n')).toEqual([
      { line: 1, cells: ['a', 'b'] },
      { line: 2, cells: ['1', 'x,\n"y"'] },
      { line: 5, cells: ['{"k":"v"}', ''] },
    ])
    expect(readCsv('')).toEqual([])
  })

  test.each(['a\n"b"c\n', 'a\n"b\n\n'])('%j is rejected with the line number', (text) => {
    expect(() => readCsv(text)).toThrow('line 2')
  })
})
