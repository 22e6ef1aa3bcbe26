import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'
import { installTestPackages } from '../../install.js'

installTestPackages()

/** Configuration of the benchmarks that need a browser. `npm run bench` starts them. */
export default defineConfig({
  root: fileURLToPath(new URL('../../..', import.meta.url)),
  test: {
    pool: 'forks',
    testTimeout: 300_000,
    fileParallelism: false,
    include: ['tests/bench/console/{screens,routes}.ts'],
  },
})
