import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { describe, expect, test } from 'vitest'

const TESTS = new URL('../../', import.meta.url)
const document = await readFile(new URL('../../../docs/traps.md', import.meta.url), 'utf8')
const [, wire = '', habits = ''] = document.split(/^## /m)

const rowsOf = (section: string) =>
  [...section.matchAll(/^\| +(\d+) +\| (.*) \| (.*) \|$/gm)].map(([, number, holds, proof = '']) => ({
    number: Number(number),
    holds,
    proof,
  }))
const WIRE = rowsOf(wire)
const HABITS = rowsOf(habits)

test('every known upstream problem has one row', () => {
  expect(WIRE.map(({ number }) => number)).toEqual(Array.from({ length: 128 }, (_, at) => at + 1))
  expect(HABITS.map(({ number }) => number)).toEqual(Array.from({ length: 31 }, (_, at) => at + 1))
})

describe.each([
  ['of wire formats', WIRE],
  ['of other gateways', HABITS],
])('upstream problems %s', (_, rows) => {
  test.each(rows)('$number: $holds', async ({ proof }) => {
    const named = [...proof.matchAll(/`([^`]+\.test\.ts)`(?:: “([^”]+)”)?/g)]
    for (const [, file = '', name = ''] of named) {
      const url = new URL(file, TESTS)
      expect(existsSync(url), file).toBe(true)
      expect(await readFile(url, 'utf8')).toContain(name)
    }
    // Without a test it takes a sentence that says why there is none.
    if (named.length === 0) expect(proof).toMatch(/^[A-Z][^`]{15,}\.$/)
  })
})
