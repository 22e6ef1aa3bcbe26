import type { CoverageRow } from '../console/checklist/row.ts'

const LISTS = import.meta.glob<{ rows: readonly CoverageRow[] }>(['../console/checklist/*.ts', '!**/row.ts'], {
  eager: true,
})

const HEAD = `# Console coverage

What the specification says of the console, line by line, and the test that shows it. Section numbers are those of its two
documents: A is accounts, access and settings, B is operations; additions are last. Written by \`npm run generate\` from the lists in
\`tests/console/checklist/\`; a test fails when a line names a test that does not exist.
`

export function readChecklist(): CoverageRow[] {
  return Object.values(LISTS)
    .flatMap(({ rows }) => rows)
    .sort((a, b) => bySection(a.spec, b.spec))
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

/** docs/console-coverage.md */
export function consoleCoverage(): string {
  return pageOf(readChecklist())
}
