import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/*
 * The lock file of the packed package. npm packs no package-lock.json, but it packs npm-shrinkwrap.json and installs exactly what
 * that lists. It is written for `npm pack` and removed afterwards: in a checkout, npm would prefer it to package-lock.json.
 */

const ROOT = join(import.meta.dirname, '..', '..')
const SHRINKWRAP = join(ROOT, 'npm-shrinkwrap.json')

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

if (process.argv[1] === import.meta.filename) {
  if (process.argv[2] === 'remove') rmSync(SHRINKWRAP, { force: true })
  else {
    const lock = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8'))
    writeFileSync(SHRINKWRAP, `${JSON.stringify(withoutDevelopment(lock), null, 2)}\n`)
  }
}
