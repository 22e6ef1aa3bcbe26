import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'

/** Clients as their users install them, against strict upstreams: `npm run clients`. Not a part of `npm test`. */
export default defineConfig({
  root: fileURLToPath(new URL('../..', import.meta.url)),
  test: {
    globalSetup: ['tests/support/postgres-server.ts'],
    pool: 'forks',
    maxWorkers: 1,
    testTimeout: 300_000,
    hookTimeout: 600_000,
    include: ['tests/clients/clients.ts'],
  },
})
