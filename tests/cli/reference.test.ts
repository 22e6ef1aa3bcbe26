import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { execa } from 'execa'
import { expect, test } from 'vitest'
import { manOf, nounManPages } from '../tools/man.ts'
import { readCommandLine } from './reference/command-line.ts'

const fileOf = (path: string) => fileURLToPath(new URL(`../../${path}`, import.meta.url))

test('npm installs each manual page, and there is no other', async () => {
  const pages = ['tollgate.1', ...nounManPages(await readCommandLine()).keys()]
  expect(readdirSync(fileOf('man')).sort()).toEqual(pages.sort())
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
    // A line that starts with a dot or an apostrophe is a macro. Only these macros are used.
    const macros = page.split('\n').filter((line) => /^[.']/.test(line))
    expect(macros.filter((line) => !/^\.(\\"|(TH|SH|SS|TP|PP|B|I|RI|br|nf|fi|RS|RE)\b)/.test(line))).toEqual([])
    const groff = await execa('groff', ['-man', '-Tutf8', '-ww'], { input: page, reject: false })
    // On a machine without groff, the test checks only the macros.
    if (groff.exitCode !== undefined) expect(groff).toMatchObject({ exitCode: 0, stderr: '' })
  }
})
