import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { describe, expect, test } from 'vitest'
import { HABIT_TESTS, WIRE_FORMAT_TESTS } from './trap-tests.ts'

const PAGE = new URL('../../../docs/traps.md', import.meta.url)
const [, wire = '', habits = ''] = (await readFile(PAGE, 'utf8')).split(/^## /m)

const casesOf = (section: string) =>
  [...section.matchAll(/^(\d+)\. (.*?): (\[.*)$/gm)].map(([, number, behavior, links = '']) => ({
    number: Number(number),
    behavior,
    files: Array.from(links.matchAll(/\]\(([^)]+\.test\.ts)\)/g), ([, path = '']) => new URL(path, PAGE)),
  }))
const WIRE_FORMATS = casesOf(wire)
const HABITS = casesOf(habits)

test('every known upstream problem is one case', () => {
  expect(WIRE_FORMATS.map(({ number }) => number)).toEqual(Array.from({ length: 128 }, (_, at) => at + 1))
  expect(HABITS.map(({ number }) => number)).toEqual(Array.from({ length: 31 }, (_, at) => at + 1))
  expect([WIRE_FORMAT_TESTS.length, HABIT_TESTS.length]).toEqual([128, 31])
})

describe.each([
  ['of wire formats', WIRE_FORMATS, WIRE_FORMAT_TESTS],
  ['of other gateways', HABITS, HABIT_TESTS],
])('upstream problems %s', (_, cases, names) => {
  test.each(cases)('$number: $behavior', async ({ number, files }) => {
    expect(files.filter((file) => !existsSync(file))).toEqual([])
    const sources = await Promise.all(files.map((file) => readFile(file, 'utf8')))
    const named = names[number - 1] ?? []
    expect(named).not.toEqual([])
    // Each name is in a linked file, and each linked file has a named test.
    for (const name of named)
      expect(
        sources.filter((source) => source.includes(name)),
        name,
      ).not.toEqual([])
    for (const source of sources) expect(named.filter((name) => source.includes(name))).not.toEqual([])
  })
})
