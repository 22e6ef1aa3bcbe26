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
  expect([WIRE_FORMAT_TESTS, HABIT_TESTS].map((tests) => Object.keys(tests).length)).toEqual([128, 31])
})

describe.each([
  ['of wire formats', WIRE_FORMATS, WIRE_FORMAT_TESTS],
  ['of other gateways', HABITS, HABIT_TESTS],
])('upstream problems %s', (_, cases, tests) => {
  test.each(cases)('$number: $behavior', async ({ number, files }) => {
    const named = (tests[number] ?? []).map(([path, name]) => ({
      file: new URL(`../../${path}.test.ts`, import.meta.url),
      name,
    }))
    expect(named).not.toEqual([])
    expect(new Set(named.map(({ file }) => file.pathname))).toEqual(new Set(files.map(({ pathname }) => pathname)))
    for (const { file, name } of named) expect(await readFile(file, 'utf8')).toContain(name)
  })
})
