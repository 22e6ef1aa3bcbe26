import { createRequire } from 'node:module'

const require = createRequire(import.meta.url)

/** The program's version, from package.json: beside the sources, or one folder further up from the built files. */
export const VERSION: string = (() => {
  for (const path of ['../package.json', '../../package.json']) {
    try {
      const { name, version } = require(path) as { name: string; version: string }
      if (name === 'tollgate') return version
    } catch {
      // Not there: the next place.
    }
  }
  throw new Error('package.json is missing')
})()
