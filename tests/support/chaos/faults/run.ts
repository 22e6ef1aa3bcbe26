import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { releaseAllDead } from '../../dead.ts'
import { startFaultyTcp } from '../../faulty-tcp.ts'
import { seeded } from '../../seeded.ts'
import { openTestToolkit } from '../../toolkit.ts'
import { type Customers, type End, openCustomers } from './customers.ts'
import { compareWithLedger, untilQuiet } from './model.ts'
import { type ConnectedPlace, PLACE_FAULTS, SHARED_FAULTS } from './postgres.ts'
import { createPlace, type Place } from './processes.ts'
import { createFaultLog, type Fault, type FaultLog, inflict } from './schedule.ts'
import { SQLITE_FAULTS, type SqlitePlace } from './sqlite.ts'

export interface RunOptions {
  readonly seed: number
  /** Duration of the faults. */
  readonly seconds: number
  /** Maximum duration of one fault. */
  readonly faultSecondsMax: number
  readonly gapSeconds: readonly [min: number, max: number]
  readonly clients: number
  /**
   * Whether each fault occurs about once, and an observer with a fast clock releases the reserves of dead processes at
   * once.
   */
  readonly isShort: boolean
  /** Number of gateways over PostgreSQL, or of workers over SQLite. */
  readonly processes: number
}

export interface RunResult {
  /** Differences between the clients' replies and the ledger, and process failures that no fault explains. */
  problems: string[]
  /** The faults, in order. */
  faults: string[]
  summary: string
}

const SETTINGS = {
  STOP_GRACE: '5',
  GLOBAL_API_RATE_LIMIT_ENABLE: 'false',
  GLOBAL_WEB_RATE_LIMIT_ENABLE: 'false',
  CRITICAL_RATE_LIMIT_ENABLE: 'false',
} as const
/** A dead process keeps its reserves for up to 45 seconds. */
const QUIET_MS = 90_000
/** Each live process sends a heartbeat within this time. */
const BEAT_MS = 6_500
/** Faults of all processes start later than those of one. */
const SHARED_GAP_S = [10, 40] as const
const SLOW_MS_MAX = 40_000
/** Added to the longest fault, so that clients outlast it. */
const PATIENCE_MS = 6_000

/** Runs several gateways over one PostgreSQL database, each with its own faulty connection. */
export async function runOnPostgres(options: RunOptions): Promise<RunResult> {
  const { seed, processes } = options
  const run = await openRun('postgres', options)
  const places = await Promise.all(
    Array.from({ length: processes }, async (_, at): Promise<ConnectedPlace> => {
      const proxy = await startFaultyTcp(run.fixture.config.databaseUrl)
      const settings = { ...SETTINGS, DATABASE_URL: proxy.url }
      const place = createPlace(run.fixture, { name: `process ${at + 1}`, settings, ...run })
      await place.start()
      return Object.assign(place, { proxy })
    }),
  )
  const each = (place: ConnectedPlace, at: number) =>
    run.inflict(place, place.name, PLACE_FAULTS, seeded(seed * 100 + at))
  const shared = run.inflict(places, 'all processes', SHARED_FAULTS, seeded(seed * 100 + 99), SHARED_GAP_S)
  return run.finish(places, [...places.map(each), shared], join(run.fixture.config.dataFolder, 'data', 'journal'))
}

/** Runs one gateway with workers over a SQLite file. */
export async function runOnSqlite(options: RunOptions): Promise<RunResult> {
  const { seed, processes } = options
  const run = await openRun('sqlite', options)
  const { dataFolder, databaseUrl } = run.fixture.config
  const settings = { ...SETTINGS, WORKERS: String(processes) }
  const place = createPlace(run.fixture, { name: 'gateway', settings, ...run })
  await place.start()
  const file = databaseUrl.slice('sqlite:'.length)
  const target: SqlitePlace = Object.assign(place, { file })
  const inflicting = run.inflict(target, place.name, SQLITE_FAULTS, seeded(seed * 100))
  return run.finish([target], [inflicting], join(dataFolder, 'journal'))
}

async function openRun(database: 'postgres' | 'sqlite', options: RunOptions) {
  const { seed, seconds, faultSecondsMax, gapSeconds, clients, isShort } = options
  const fixture = await openTestToolkit({ database })
  const customers = await openCustomers(fixture, {
    random: seeded(seed),
    slowMsMax: Math.min(SLOW_MS_MAX, faultSecondsMax * 1000),
    patienceMs: faultSecondsMax * 1000 + PATIENCE_MS,
  })
  const log = createFaultLog()
  const problems: string[] = []
  const ending = new AbortController()

  return {
    fixture,
    log,
    problems,
    inflict: <Target>(
      target: Target,
      name: string,
      faults: readonly Fault<Target>[],
      random: () => number,
      gap = gapSeconds,
    ) =>
      inflict(target, {
        name,
        faults,
        random,
        signal: ending.signal,
        log,
        secondsMax: faultSecondsMax,
        gapSeconds: gap,
        isEachOnce: isShort,
      }).catch((error) => void problems.push(`${name}: a fault could not be inflicted: ${error}`)),
    async finish(places: readonly Place[], inflicting: Promise<void>[], journalFolder: string): Promise<RunResult> {
      const spending = customers.spend(places, { clients, signal: ending.signal })
      await sleep(seconds * 1000)
      ending.abort()
      await Promise.all([...inflicting, spending])
      log.note('the faults have ended')
      await checkServing(places, customers, problems)
      if (isShort) await releaseAllDead(fixture, () => sleep(BEAT_MS))
      const left = await untilQuiet(fixture, { journalFolder, timeoutMs: QUIET_MS })
      log.note('nothing is held any more')
      const differences = await compareWithLedger(fixture, customers)
      await Promise.all(places.map((place) => place.end('SIGTERM')))
      return {
        problems: [...problems, ...left.map((what) => `left after the end: ${what}`), ...differences.problems],
        faults: log.lines(),
        summary: summarize({ database, seed, log, customers, found: differences }),
      }
    },
  }
}

/** Checks that each process works after the faults. */
async function checkServing(places: readonly Place[], customers: Customers, problems: string[]): Promise<void> {
  const [rich] = customers.customers
  for (const place of places) {
    const deadline = Date.now() + 30_000
    let last = await customers.relay(place, rich)
    while (last.end !== 'whole' && Date.now() < deadline) {
      await sleep(500)
      last = await customers.relay(place, rich)
    }
    if (last.end !== 'whole') problems.push(`${place.name} does not serve: ${last.status} ${last.text}`)
  }
}

function summarize({
  database,
  seed,
  log,
  customers: { seen, codes },
  found: { charges, uncovered },
}: {
  database: string
  seed: number
  log: FaultLog
  customers: Customers
  /** `uncovered`: complete replies whose balance was spent by other requests, after an outage. */
  found: { charges: number; uncovered: number }
}): string {
  const count = (end: End) => seen.filter((one) => one.end === end).length
  const slowest = Math.max(...seen.map(({ ms }) => ms))
  const statuses = new Map<number, number>()
  for (const { end, status } of seen) if (end === 'rejected') statuses.set(status, (statuses.get(status) ?? 0) + 1)
  return [
    `${database}, seed ${seed}: ${log.lines().filter((line) => line.includes(': ')).length} faults`,
    `${seen.length} requests: ${count('whole')} whole, ${count('short')} short, ${count('broken')} broken, ${count('silent')} without a reply; the longest took ${(slowest / 1000).toFixed(1)} s`,
    `${count('rejected')} rejected (${[...statuses].map(([status, times]) => `${status}: ${times}`).join(', ')})`,
    `${charges} charges, ${uncovered} of whole replies not covered whole`,
    `${codes.length} codes`,
  ].join('; ')
}
