import { existsSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import type { CoverageRow } from './checklist/row.ts'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const CHECKLIST = new URL('./checklist/', import.meta.url)
/** Rewritten by `npm run console-coverage`. */
const PAGE = join(ROOT, 'docs/console-coverage.md')
const NOT_BUILT = /^not built: \S/

const HEAD = `# Console coverage

What the specification says of the console, line by line, and the test that shows it. Section numbers are those of its two
documents: A is accounts, access and settings, B is operations; additions are last. Written by \`npm run console-coverage\` from the lists in
\`tests/console/checklist/\`; a test fails when a line names a test that does not exist.
`

async function readChecklist(): Promise<CoverageRow[]> {
  const files = (await readdir(CHECKLIST)).filter((name) => name !== 'row.ts').sort()
  const lists = await Promise.all(
    files.map(async (name) => ((await import(new URL(name, CHECKLIST).href)) as { rows: CoverageRow[] }).rows),
  )
  return lists.flat().sort((a, b) => bySection(a.spec, b.spec))
}

function bySection(a: string, b: string): number {
  const [documentA = '', sectionA = '0'] = a.split(' §')
  const [documentB = '', sectionB = '0'] = b.split(' §')
  return documentA.localeCompare(documentB) || Number.parseInt(sectionA, 10) - Number.parseInt(sectionB, 10)
}

const cell = (text: string) => text.replaceAll('|', '\\|').replaceAll('\n', ' ')

function pageOf(rows: readonly CoverageRow[]): string {
  const sections = new Map<string, CoverageRow[]>()
  for (const row of rows) sections.set(row.spec, [...(sections.get(row.spec) ?? []), row])
  const parts = [...sections].map(([spec, lines]) => {
    const table = lines.map(({ line, test }) => `| ${cell(line)} | ${cell(test.replace(/^tests\/console\//, ''))} |`)
    return `## ${spec}\n\n| what | test, below \`tests/console/\` |\n| --- | --- |\n${table.join('\n')}\n`
  })
  return [HEAD, ...parts].join('\n')
}

/** A test of a table has places in its title: `shows %s as $colour`. */
function hasTest(source: string, name: string): boolean {
  const titles = source.matchAll(/(['"`])((?:(?!\1).)+)\1,\s*(?:async\s*)?(?:\(|function)/g)
  return Array.from(titles, ([, , title = '']) => title.split(/%[sdij]|\$[\w.]+|\$\{[^}]*\}/)).some((parts) =>
    new RegExp(`^${parts.map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')).join('.+')}$`).test(name),
  )
}

test('each line of the console checklist names an existing test, or says why there is none', async () => {
  const rows = await readChecklist()
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

test('docs/console-coverage.md matches the lists (update it with: npm run console-coverage)', async () => {
  await expect(pageOf(await readChecklist())).toMatchFileSnapshot(PAGE)
})
