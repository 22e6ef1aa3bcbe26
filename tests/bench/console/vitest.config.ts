import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'
import { installTestPackages } from '../../install.js'

installTestPackages()

/** The part of the benchmark that needs a browser; `npm run bench` starts it. */
export default defineConfig({
  root: fileURLToPath(new URL('../../..', import.meta.url)),
  test: {
    pool: 'forks',
    testTimeout: 300_000,
    fileParallelism: false,
    include: ['tests/bench/console/{screens,routes}.ts'],
  },
})
