import { copyFileSync, existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/*
 * What the packed package has instead of the checkout's package.json and package-lock.json. Both are written for `npm pack` and taken
 * back afterwards.
 */

const ROOT = join(import.meta.dirname, '..', '..')
const MANIFEST = join(ROOT, 'package.json')
/** Where the checkout's package.json is during `npm pack`. */
const SAVED = join(ROOT, 'package.json.saved')
/** npm packs no package-lock.json, but it packs npm-shrinkwrap.json and installs exactly what that lists. */
const SHRINKWRAP = join(ROOT, 'npm-shrinkwrap.json')

/**
 * Leaves out what only building needs: who installs the package runs none of these scripts, and `npm ci` in the unpacked package
 * rejects a package.json whose development packages are not in the lock file.
 *
 * @param {{ scripts: Record<string, string>, devDependencies?: object }} manifest @returns {object}
 */
export function manifestOfPackage({ devDependencies, scripts, ...manifest }) {
  return { ...manifest, scripts: { start: scripts.start } }
}

/**
 * Leaves out what only building needs.
 *
 * @param {{ packages: Record<string, any> }} lock @returns {object}
 */
export function withoutDevelopment(lock) {
  const [[name, { devDependencies, ...root }], ...packages] = Object.entries(lock.packages)
  const kept = packages.filter(([, { dev }]) => !dev)
  return { ...lock, packages: Object.fromEntries([[name, root], ...kept]) }
}

/** Also after an `npm pack` that was killed. */
function restore() {
  rmSync(SHRINKWRAP, { force: true })
  if (existsSync(SAVED)) renameSync(SAVED, MANIFEST)
}

/** @param {string} file @param {object} value */
const writeJson = (file, value) => writeFileSync(file, `${JSON.stringify(value, null, 2)}\n`)
/** @param {string} file */
const readJson = (file) => JSON.parse(readFileSync(file, 'utf8'))

if (process.argv[1] === import.meta.filename) {
  restore()
  if (process.argv[2] === 'write') {
    copyFileSync(MANIFEST, SAVED)
    writeJson(MANIFEST, manifestOfPackage(readJson(MANIFEST)))
    writeJson(SHRINKWRAP, withoutDevelopment(readJson(join(ROOT, 'package-lock.json'))))
  }
}
