import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { runnerImport } from 'vite'

const ROOT = join(import.meta.dirname, '../..')
const HELP = `Writes the files that are made from the code: docs/cli.md, docs/channel-types.md, docs/api-coverage.md,
docs/config.schema.json, the manual pages, the types of the API, and the CLI's checks of replies.

Usage: npm run generate [-- --check]

--check  write nothing; exit with 1 if a file differs`

const words = process.argv.slice(2)
const unknown = words.find((word) => word !== '--check' && word !== '--help')
if (unknown !== undefined || words.includes('--help')) {
  console.log(unknown === undefined ? HELP : `error: unknown argument ${unknown}\n\n${HELP}`)
  process.exit(unknown === undefined ? 0 : 2)
}

const { module } = await runnerImport(join(import.meta.dirname, 'generated-files.ts'), {
  configFile: false,
  root: ROOT,
})
const files = module.generatedFiles
const stale = [...files].filter(([path, text]) => textOf(path) !== text)
if (!words.includes('--check')) for (const [path, text] of stale) writeFileSync(join(ROOT, path), text)
for (const [path, text] of stale) console.log(words.includes('--check') ? differenceOf(path, text) : `wrote ${path}`)
if (words.includes('--check') && stale.length > 0) {
  console.error('error: these files do not match the code. Write them: npm run generate')
  process.exit(1)
}
console.log(`${files.size} generated files match the code`)
process.exit(0)

function textOf(path) {
  try {
    return readFileSync(join(ROOT, path), 'utf8')
  } catch (error) {
    if (error.code === 'ENOENT') return ''
    throw error
  }
}

/** Returns the first line that differs, as stored and as generated. */
function differenceOf(path, text) {
  const [stored, made] = [textOf(path).split('\n'), text.split('\n')]
  const at = made.findIndex((line, index) => line !== stored[index])
  const line = at < 0 ? made.length : at
  return `${path}:${line + 1}\n- ${stored[line] ?? ''}\n+ ${made[line] ?? ''}`
}
