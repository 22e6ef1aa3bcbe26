import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))

const namesIn = (folder: string) =>
  readdirSync(join(ROOT, folder))
    .filter((name) => name.endsWith('.md'))
    .map((name) => join(folder, name))

/** Code blocks hold no links and no headings. */
const read = (path: string) => readFileSync(path, 'utf8').replace(/```[\s\S]*?```/g, '')

/** The anchor of a heading, as GitHub makes it. */
const anchorOf = (heading: string) =>
  heading
    .toLowerCase()
    .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/[^\p{L}\p{N} _-]/gu, '')
    .trim()
    .replaceAll(' ', '-')

const anchorsIn = (text: string) => [...text.matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) => anchorOf(heading))

const linksIn = (text: string) => [...text.matchAll(/\]\(([^)\s]+)\)/g)].map(([, link = '']) => link)

/** Why a link of a page leads nowhere; undefined: it leads somewhere, or to another site. */
function problemOf(page: string, link: string): string | undefined {
  if (/^[a-z]+:/.test(link)) return undefined
  const [path = '', anchor] = link.split('#')
  const target = path === '' ? join(ROOT, page) : resolve(ROOT, dirname(page), path)
  if (!existsSync(target)) return `${link}: no such file`
  if (anchor === undefined || !target.endsWith('.md')) return undefined
  return anchorsIn(read(target)).includes(anchor) ? undefined : `${link}: no such heading`
}

test.each([...namesIn('.'), ...namesIn('docs')])('each link of %s leads to an existing file and heading', (page) => {
  const problems = linksIn(read(join(ROOT, page))).map((link) => problemOf(page, link))
  expect(problems.filter(Boolean)).toEqual([])
})

/** The lines of a section that state something: rows of tables without their heads, and points of lists with what follows. */
function linesOf(text: string, heading: string): string[] {
  const [, section = ''] = text.split(`\n## ${heading}\n`)
  const [body = ''] = section.split('\n## ')
  const rows = body.split('\n').filter((line) => line.startsWith('| '))
  return [...rows.slice(2), ...body.split(/\n(?=- )/).filter((part) => part.startsWith('- '))]
}

test.each(['Guarantees', 'Faults', 'Remaining risks'])(
  'each line of "%s" of the ledger links to its test',
  (heading) => {
    const lines = linesOf(read(join(ROOT, 'docs/ledger.md')), heading)
    expect(lines.length).toBeGreaterThan(4)
    expect(lines.filter((line) => !/\]\(\.\.\/tests\/[^)]+\.test\.ts\)/.test(line))).toEqual([])
  },
)
