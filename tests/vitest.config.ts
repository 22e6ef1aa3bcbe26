import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'

export default defineConfig({
  root: fileURLToPath(new URL('..', import.meta.url)),
  test: {
    globalSetup: ['tests/support/postgres-server.ts'],
    pool: 'forks',
    maxWorkers: 2,
    testTimeout: 20_000,
    hookTimeout: 60_000,
    include: ['tests/**/*.test.{ts,tsx}'],
    exclude: ['tests/bench/**'],
    // No module holds state: what one file has loaded is good for the next, and saves a fifth of the time.
    isolate: false,
  },
})
