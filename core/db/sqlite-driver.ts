import { createRequire } from 'node:module'
import { dirname } from 'node:path'
import { GatewayError } from '../errors.ts'

/**
 * Loads sqlite3. Throws DATABASE_DRIVER_MISSING with the folder to rebuild in if the native module is missing (npm did not run
 * its install script) or was compiled for another system.
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
