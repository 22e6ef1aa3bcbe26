import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import type { CoverageRow } from './checklist/row.ts'

const LISTS = import.meta.glob<{ rows: readonly CoverageRow[] }>(['./checklist/*.ts', '!**/row.ts'], { eager: true })
const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const NOT_BUILT = /^not built: \S/

/** A test of a table has places in its title: `shows %s as $colour`. */
function hasTest(source: string, name: string): boolean {
  const titles = source.matchAll(/(['"`])((?:(?!\1).)+)\1,\s*(?:async\s*)?(?:\(|function)/g)
  return Array.from(titles, ([, , title = '']) => title.split(/%[sdij]|\$[\w.]+|\$\{[^}]*\}/)).some((parts) =>
    new RegExp(`^${parts.map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')).join('.+')}$`).test(name),
  )
}

test('each line of the console checklist names an existing test, or says why there is none', async () => {
  const rows = Object.values(LISTS).flatMap(({ rows }) => rows)
  const faults: string[] = []
  for (const { spec, line, test } of rows) {
    if (!/^(?:[AB] §\d+|beyond$)/.test(spec)) faults.push(`${line}: no section in "${spec}"`)
    if (NOT_BUILT.test(test)) continue
    const [file = '', ...names] = test.split(' › ')
    const path = join(ROOT, file)
    const source = existsSync(path) ? await readFile(path, 'utf8') : undefined
    if (source === undefined) faults.push(`${spec} ${line}: there is no ${file}`)
    else if (names.length === 0) faults.push(`${spec} ${line}: which test of ${file}?`)
    else for (const name of names) if (!hasTest(source, name)) faults.push(`${spec} ${line}: ${file} has no "${name}"`)
  }
  expect(faults).toEqual([])
})
