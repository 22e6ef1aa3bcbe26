import { execSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/*
 * Builds, unless the last build was of the same files. npm runs this after `npm ci`, and once more before the first `npx tollgate` in
 * the checkout, which then starts at once instead of after a second build.
 */

const ROOT = join(import.meta.dirname, '..')
const FOLDERS = ['bin', 'cli', 'console', 'core', 'server']
const FILES = ['package-lock.json', 'package.json', 'tsconfig.json']
/** The digest of what was built. */
const STAMP = join(ROOT, 'dist', '.built-from')

/** Names, sizes and times of all sources: reading their content would take longer. */
function digestOfSources() {
  const inFolders = FOLDERS.flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true }).map((name) => join(folder, String(name))),
  )
  const digest = createHash('sha256')
  for (const name of [...FILES, ...inFolders.sort()]) {
    const { mtimeMs, size } = statSync(join(ROOT, name))
    digest.update(`${name} ${size} ${mtimeMs}\n`)
  }
  return digest.digest('hex')
}

const digest = digestOfSources()
if (!existsSync(STAMP) || readFileSync(STAMP, 'utf8') !== digest) {
  execSync('npm run build', { cwd: ROOT, stdio: 'inherit' })
  writeFileSync(STAMP, digest)
}
