import { expect, test } from 'vitest'
import { type RunOptions, type RunResult, runOnPostgres, runOnSqlite } from '../../support/chaos/faults/run.ts'
import { skipWithoutPostgres } from '../../support/toolkit.ts'

/** `npm run chaos -- --faults` chooses the seed and runs for minutes; without it, faults are short and few. */
const { CHAOS_SEED, CHAOS_MINUTES, CHAOS_DATABASE } = process.env
const minutes = Number(CHAOS_MINUTES ?? 0)
/** A short run has a seed that meets many faults. */
function options({ shortSeed, processes }: { shortSeed: number; processes: number }): RunOptions {
  const seed = Number(CHAOS_SEED ?? shortSeed)
  return minutes > 0
    ? { seed, processes, seconds: minutes * 60, faultSecondsMax: 50, gapSeconds: [0.5, 8], clients: 24, isShort: false }
    : { seed, processes, seconds: 9, faultSecondsMax: 1.5, gapSeconds: [0.05, 0.3], clients: 16, isShort: true }
}
const TIMEOUT_MS = minutes * 60_000 + 400_000

function expectNoProblem({ problems, faults, summary }: RunResult): void {
  console.log(summary)
  if (problems.length > 0) console.error([`${summary}\nThe faults were:`, ...faults, ...problems].join('\n'))
  expect(problems).toEqual([])
}

test.skipIf(CHAOS_DATABASE === 'sqlite')(
  "after random process faults on PostgreSQL, the ledger equals the clients' results",
  async (context) => {
    await skipWithoutPostgres(context)
    expectNoProblem(await runOnPostgres(options({ shortSeed: 3, processes: minutes > 0 ? 3 : 2 })))
  },
  TIMEOUT_MS,
)

test.skipIf(CHAOS_DATABASE === 'postgres')(
  "after random faults of two workers on SQLite, the ledger equals the clients' results",
  async () => {
    expectNoProblem(await runOnSqlite(options({ shortSeed: 1, processes: 2 })))
  },
  TIMEOUT_MS,
)
