import { createRequire } from 'node:module'
import { dirname } from 'node:path'
import { GatewayError } from '../errors.ts'

/**
 * Loads sqlite3. Throws DATABASE_DRIVER_MISSING if its native module is missing or was compiled for another system. The
 * module is missing if npm did not run the install script. The error names the folder in which to rebuild sqlite3.
 */
export function requireSqliteDriver(
  load: (require: NodeJS.Require) => unknown = (require) => require('sqlite3'),
): void {
  const require = createRequire(import.meta.url)
  try {
    load(require)
  } catch (cause) {
    throw new GatewayError('DATABASE_DRIVER_MISSING', { folder: installationOf(require) }, { cause })
  }
}

/** Returns the folder whose `node_modules` contains sqlite3. */
function installationOf(require: NodeJS.Require): string {
  const [folder = '.'] = require.resolve.paths('sqlite3')?.filter((path) => isIn(require, path)) ?? []
  return dirname(folder)
}

function isIn(require: NodeJS.Require, folder: string): boolean {
  try {
    return require.resolve('sqlite3/package.json', { paths: [dirname(folder)] }).startsWith(folder)
  } catch {
    return false
  }
}
