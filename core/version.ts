import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const { folder, version } = findPackage(dirname(fileURLToPath(import.meta.url)))

/** The folder of Tollgate's package.json and of files that are installed with it. */
export const PACKAGE_FOLDER: string = folder

export const VERSION: string = version

/** Searches upward, because sources, compiled files and the bundle are at different depths. */
function findPackage(from: string): { folder: string; version: string } {
  const file = join(from, 'package.json')
  if (existsSync(file)) {
    const { name, version }: { name: string; version: string } = JSON.parse(readFileSync(file, 'utf8'))
    if (name === 'tollgate') return { folder: from, version }
  }
  const parent = dirname(from)
  if (parent === from) throw new Error('package.json is missing')
  return findPackage(parent)
}
