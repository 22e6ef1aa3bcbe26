import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { execa } from 'execa'
import { expect, test } from 'vitest'
import { readCommandLine } from './reference/command-line.ts'
import { manOf, nounManPages } from './reference/man.ts'
import { markdownOf } from './reference/markdown.ts'

const fileOf = (path: string) => fileURLToPath(new URL(`../../${path}`, import.meta.url))
const MAN = fileOf('man/tollgate.1')

test('docs/cli.md matches the commands (update it with: npm run cli-docs)', async () => {
  await expect(markdownOf(await readCommandLine())).toMatchFileSnapshot(fileOf('docs/cli.md'))
})

test('man/ has a page for the program and one for each noun, matching the commands (update it with: npm run cli-docs)', async () => {
  const program = await readCommandLine()
  await expect(manOf(program)).toMatchFileSnapshot(MAN)
  const pages = nounManPages(program)
  for (const [name, page] of pages) await expect(page).toMatchFileSnapshot(fileOf(`man/${name}`))
  expect(readdirSync(fileOf('man')).sort()).toEqual([...pages.keys(), 'tollgate.1'].sort())
})

test('npm installs each manual page', () => {
  const { man } = JSON.parse(readFileSync(fileOf('package.json'), 'utf8'))
  expect([...man].sort()).toEqual(
    readdirSync(fileOf('man'))
      .map((name) => `man/${name}`)
      .sort(),
  )
})

test('groff accepts the manual pages', async () => {
  const program = await readCommandLine()
  for (const page of [manOf(program), ...nounManPages(program).values()]) {
    // A line that starts with a dot is a macro: only these are used.
    const macros = page.split('\n').filter((line) => /^[.']/.test(line))
    expect(macros.filter((line) => !/^\.(\\"|(TH|SH|SS|TP|PP|B|I|RI|br|nf|fi|RS|RE)\b)/.test(line))).toEqual([])
    const groff = await execa('groff', ['-man', '-Tutf8', '-ww'], { input: page, reject: false })
    // Not every machine has groff: then the macros are all that was looked at.
    if (groff.exitCode !== undefined) expect(groff).toMatchObject({ exitCode: 0, stderr: '' })
  }
})
