import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'

/** These put something else in a module's place: they need modules of their own. */
const MOCKING = [
  'tests/server/relay/{usage,who-pays,who-pays-dialects,odd-upstreams,streams,responses}.test.ts',
  'tests/server/relay/providers/relayed.test.ts',
  'tests/e2e/openai-sdk.test.ts',
  'tests/e2e/matrix/matrix.test.ts',
]
const BENCH = 'tests/bench/**'

export default defineConfig({
  root: fileURLToPath(new URL('..', import.meta.url)),
  test: {
    globalSetup: ['tests/support/postgres-server.ts'],
    pool: 'forks',
    maxWorkers: 2,
    testTimeout: 20_000,
    hookTimeout: 60_000,
    projects: [
      // No module holds state: what one file has loaded is good for the next, and saves a fifth of the time.
      {
        extends: true,
        test: { name: 'shared', include: ['tests/**/*.test.{ts,tsx}'], exclude: [BENCH, ...MOCKING], isolate: false },
      },
      { extends: true, test: { name: 'mocking', include: MOCKING } },
    ],
  },
})
