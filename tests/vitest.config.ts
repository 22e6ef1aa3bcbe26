import { availableParallelism, totalmem } from 'node:os'
import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'
import { installTestPackages } from './install.js'
import { closingReporter } from './support/closing-reporter.ts'
import { WaitingFirst } from './support/waiting-first.ts'

installTestPackages()

/** Memory of a worker with its gateways, processes and browser. */
const WORKER_BYTES = 2.5e9

export default defineConfig({
  root: fileURLToPath(new URL('..', import.meta.url)),
  test: {
    globalSetup: ['tests/support/postgres-server.ts', 'tests/support/browser/chromium-server.ts'],
    pool: 'forks',
    // Tests mostly wait for clocks, processes and browsers.
    maxWorkers: Math.max(2, Math.min(2 * availableParallelism(), Math.floor(totalmem() / WORKER_BYTES))),
    sequence: { sequencer: WaitingFirst },
    // A guard against what hangs, not a claim: on a busy machine everything takes five times as long.
    testTimeout: 60_000,
    // Thousands of tests beside each other meet with a stall now and then. The output ends with those that were tried again:
    // they are to be looked at, since such a stall has shown faults of the product before.
    retry: process.env.CI === 'true' ? 1 : 0,
    reporters: ['default', closingReporter],
    hookTimeout: 120_000,
    // As long as a browser's steps wait: one second is not enough on a machine that is busy.
    expect: { poll: { timeout: 20_000 } },
    include: ['tests/**/*.test.{ts,tsx}'],
    exclude: ['tests/bench/**', 'tests/node_modules/**'],
    // No module holds state: what one file has loaded is good for the next, and saves a fifth of the time.
    isolate: false,
    // Gateways are large and live as long as a test: with a small young generation V8 copies most of them into the old one.
    execArgv: ['--max-semi-space-size=64'],
  },
})
