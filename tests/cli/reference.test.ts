import { fileURLToPath } from 'node:url'
import { execa } from 'execa'
import { expect, test } from 'vitest'
import { readCommandLine } from './reference/command-line.ts'
import { manOf } from './reference/man.ts'
import { markdownOf } from './reference/markdown.ts'

const fileOf = (path: string) => fileURLToPath(new URL(`../../${path}`, import.meta.url))
const MAN = fileOf('man/tollgate.1')

test('docs/cli.md is what the commands say; when it is not: npm run cli-docs', async () => {
  await expect(markdownOf(await readCommandLine())).toMatchFileSnapshot(fileOf('docs/cli.md'))
})

test('man/tollgate.1 is what the commands say; when it is not: npm run cli-docs', async () => {
  await expect(manOf(await readCommandLine())).toMatchFileSnapshot(MAN)
})

test('the manual page is one that groff has nothing against', async () => {
  const page = manOf(await readCommandLine())
  // A line that starts with a dot is a macro: only these are used.
  const macros = page.split('\n').filter((line) => /^[.']/.test(line))
  expect(macros.filter((line) => !/^\.(\\"|(TH|SH|SS|TP|PP|B|I|RI|br|nf|fi|RS|RE)\b)/.test(line))).toEqual([])
  const groff = await execa('groff', ['-man', '-Tutf8', '-ww'], { input: page, reject: false })
  // Not every machine has groff: then the macros are all that was looked at.
  if (groff.exitCode !== undefined) expect(groff).toMatchObject({ exitCode: 0, stderr: '' })
})
