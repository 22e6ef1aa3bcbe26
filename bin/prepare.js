import { execSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/*
 * Builds the program, unless the sources are unchanged since the last build. npm runs this script after `npm ci`, and
 * again before the first `npx tollgate` in the checkout.
 */

const ROOT = join(import.meta.dirname, '..')
const FOLDERS = ['bin', 'cli', 'console', 'core', 'server']
const FILES = ['package-lock.json', 'package.json', 'tsconfig.json']
/** File with the digest of the sources of the last build. */
const STAMP = join(ROOT, 'dist', '.built-from')

/** Returns a digest of the names, sizes and times of all sources. Reading their contents would take longer. */
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
