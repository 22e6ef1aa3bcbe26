import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const FOLDER = import.meta.dirname
/** Says for which lock file the packages were installed. `npm ci` removes it with everything else. */
const STAMP = join(FOLDER, 'node_modules', '.installed-for')

/**
 * Installs what only checks and development need (browser, PostgreSQL, SDKs, linter) below `tests/`, unless it is there:
 * who runs a gateway downloads none of it. Throws if npm fails.
 */
export function installTestPackages() {
  const lock = createHash('sha256')
    .update(readFileSync(join(FOLDER, 'package-lock.json')))
    .digest('hex')
  if (!existsSync(STAMP) || readFileSync(STAMP, 'utf8') !== lock) {
    process.stderr.write('Installing the packages that only tests and development need into tests/node_modules\n')
    const npm = process.platform === 'win32' ? 'npm.cmd' : 'npm'
    const { status, error } = spawnSync(npm, ['ci', '--no-audit', '--no-fund'], {
      cwd: FOLDER,
      stdio: ['ignore', 2, 2],
      shell: process.platform === 'win32',
    })
    if (status !== 0)
      throw new Error('the packages of the tests are not installed. Try: npm ci --prefix tests', { cause: error })
    writeFileSync(STAMP, lock)
  }
  linkLinter()
}

/** Lets `npx biome` in the checkout find the linter. Without it, npx downloads another package of that name. */
function linkLinter() {
  const folder = join(FOLDER, '..', 'node_modules', '.bin')
  const link = join(folder, 'biome')
  if (existsSync(link) || process.platform === 'win32') return
  mkdirSync(folder, { recursive: true })
  rmSync(link, { force: true })
  symlinkSync('../../tests/node_modules/.bin/biome', link)
}

if (process.argv[1] === import.meta.filename) installTestPackages()
