import { expect, test } from 'vitest'
import { type CsvLine, readCsv } from '../../../cli/output/csv.ts'
import { streamCsv } from '../../../cli/output/csv-stream.ts'

async function* inParts(text: string, length: number) {
  for (let at = 0; at < text.length; at += length) yield text.slice(at, at + length)
}

async function read(chunks: AsyncIterable<string>): Promise<CsvLine[]> {
  const lines: CsvLine[] = []
  for await (const line of streamCsv(chunks)) lines.push(line)
  return lines
}

const TEXTS = [
  '',
  'a,b',
  'a,b\r\n1,"x,\n""y"""\n\n{"k":"v"},\n',
  'a,b\r\n1,"x\r\ny"\r\n2,3\r\n',
  '"a""","b"\n"c\n\n",d',
]

test.each(TEXTS)('%j in parts is read like a whole text, wherever the parts end', async (text) => {
  for (const length of [1, 2, 3, 5, 100]) expect(await read(inParts(text, length))).toEqual(readCsv(text))
})

test('lines are returned before the rest of the file is read', async () => {
  async function* endless() {
    for (let line = 1; ; line++) yield `${line},x\n`
  }
  const seen: string[] = []
  for await (const { cells } of streamCsv(endless())) if (seen.push(cells[0] ?? '') === 3) break
  expect(seen).toEqual(['1', '2', '3'])
})

test('CR alone ends a line too', async () => {
  expect(await read(inParts('a,b\r1,2\r', 1))).toMatchObject([{ cells: ['a', 'b'] }, { cells: ['1', '2'] }])
})

test.each([1, 1000])('an unclosed quote is rejected with its line, in parts of %d', async (length) => {
  await expect(read(inParts('a\n"b\n\n', length))).rejects.toThrow('line 2')
})

test('an unclosed quote in a large file is rejected before the whole file is in memory', async () => {
  let parts = 0
  async function* large() {
    yield 'a\n"'
    for (; parts < 1000; parts++) yield 'x'.repeat(64 * 1024)
  }
  await expect(read(large())).rejects.toThrow('line 2')
  expect(parts).toBeLessThan(20)
})
