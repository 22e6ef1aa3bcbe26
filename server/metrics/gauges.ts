import { monitorEventLoopDelay } from 'node:perf_hooks'
import type { Knex } from 'knex'
import type { ChannelHealth } from '../../core/channels/health/health.ts'
import type { ChannelDirectory } from '../../core/channels/routing/directory.ts'
import type { LedgerTotals } from '../../core/ledger/totals.ts'
import type { LocalToolkit } from '../../core/toolkit.ts'
import { VERSION } from '../../core/version.ts'
import { counter, gauge, type MetricFamily } from './family.ts'

/** Sampling interval of the event-loop delay. Its cost is not measurable. */
const LOOP_RESOLUTION_MS = 20
/** Minimum interval between two reads of the sums over all users. */
const TOTALS_FRESH_MS = 10_000
const NANOSECONDS = 1e9
/** Returns the samples of a family with one value and no labels. */
const one = (value: number) => [{ value, labels: {} }]

/** Measures values on each scrape. */
export function createGauges({
  toolkit,
  directory,
  health,
  running,
  onFailure,
}: {
  toolkit: Pick<LocalToolkit, 'db' | 'ledger'>
  directory: Pick<ChannelDirectory, 'all'>
  health: Pick<ChannelHealth, 'openCircuits'>
  running: () => number
  onFailure: (error: unknown) => void
}) {
  const loop = monitorEventLoopDelay({ resolution: LOOP_RESOLUTION_MS })
  loop.enable()
  const startedAt = Date.now() / 1000 - process.uptime()
  let totals: { readonly value: Promise<LedgerTotals | undefined>; readonly until: number } | undefined

  /**
   * Reads the sums of the ledger. Resolves to undefined if the read fails, so that an outage does not hide the other
   * metrics.
   */
  function readTotals(): Promise<LedgerTotals | undefined> {
    const now = performance.now()
    if (totals && now < totals.until) return totals.value
    const value = toolkit.ledger.totals().catch((error: unknown) => {
      onFailure(error)
      return undefined
    })
    totals = { value, until: now + TOTALS_FRESH_MS }
    return value
  }

  return {
    async families(): Promise<MetricFamily[]> {
      return [
        ...ledgerFamilies(await totalsInTime(readTotals())),
        ...loadFamilies({ toolkit, health, running }),
        ...channelFamilies(directory),
        ...poolFamilies(toolkit.db.pools),
        ...processFamilies(loop, startedAt),
      ]
    },
    close(): void {
      loop.disable()
    },
  }
}

const TOTALS_WAIT_MS = 1000

/** Resolves to the sums, or to undefined if the read takes too long. */
function totalsInTime(read: Promise<LedgerTotals | undefined>): Promise<LedgerTotals | undefined> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => resolve(undefined), TOTALS_WAIT_MS)
    void read.then(resolve).finally(() => clearTimeout(timer))
  })
}

/** Returns values from the database. All processes read the same values, so the aggregator is `max`. */
function ledgerFamilies(totals: LedgerTotals | undefined): MetricFamily[] {
  if (!totals) return []
  return [
    gauge('tollgate_ledger_used_quota', 'Quota used by all users, by the ledger', one(totals.usedQuota), 'max'),
    gauge('tollgate_ledger_requests', 'Charged requests of all users, by the ledger', one(totals.requests), 'max'),
    gauge('tollgate_ledger_balance_quota', 'Quota that all users can spend', one(totals.balanceQuota), 'max'),
  ]
}

const CIRCUIT_SCOPES = ['channel', 'key', 'model', 'limit'] as const

function loadFamilies({
  toolkit: { ledger },
  health,
  running,
}: {
  toolkit: Pick<LocalToolkit, 'ledger'>
  health: Pick<ChannelHealth, 'openCircuits'>
  running: () => number
}): MetricFamily[] {
  const { openHolds, heldQuota, waitingCharges, waitingMs } = ledger.load()
  const circuits = health.openCircuits()
  return [
    gauge('tollgate_relays_running', 'Running relays', one(running())),
    gauge('tollgate_open_holds', 'Open holds', one(openHolds)),
    gauge('tollgate_held_quota', 'Quota of open holds', one(heldQuota)),
    gauge('tollgate_settlement_waiting_charges', 'Charges that wait for their transaction', one(waitingCharges)),
    gauge(
      'tollgate_settlement_lag_seconds',
      'Waiting time of the oldest charge for its transaction',
      one(waitingMs / 1000),
      'max',
    ),
    // Each process opens its own circuits for the same failure, so a sum would count one failure several times.
    gauge(
      'tollgate_circuits_open',
      'Open circuits by scope, in the process that knows most of them',
      CIRCUIT_SCOPES.map((scope) => ({ value: circuits.get(scope) ?? 0, labels: { scope } })),
      'max',
    ),
  ]
}

/** Maximum number of channels in `tollgate_channel_info`. */
const CHANNELS_MAX = 2000

function channelFamilies({ all }: Pick<ChannelDirectory, 'all'>): MetricFamily[] {
  const samples = all()
    .slice(0, CHANNELS_MAX)
    .map(({ id, name, type, status }) => ({
      value: 1,
      labels: { channel: String(id), name, type: type.name, status: STATUS_TEXTS[status] ?? 'disabled' },
    }))
  return [gauge('tollgate_channel_info', 'Channels with their names; the value is always 1', samples, 'max')]
}
const STATUS_TEXTS: Readonly<Record<number, string>> = { 1: 'enabled', 2: 'disabled', 3: 'auto_disabled' }

function poolFamilies(pools: LocalToolkit['db']['pools']): MetricFamily[] {
  const of = (value: (pool: Knex) => number) =>
    Object.entries(pools).map(([pool, knex]) => ({ value: value(knex), labels: { pool } }))
  return [
    gauge(
      'tollgate_database_connections_used',
      'Database connections in use',
      of(({ client }) => client.pool?.numUsed() ?? 0),
    ),
    gauge(
      'tollgate_database_connections_free',
      'Idle database connections',
      of(({ client }) => client.pool?.numFree() ?? 0),
    ),
    gauge(
      'tollgate_database_connections_waiting',
      'Statements that wait for a connection',
      of(({ client }) => client.pool?.numPendingAcquires() ?? 0),
    ),
  ]
}

function processFamilies(loop: ReturnType<typeof monitorEventLoopDelay>, startedAt: number): MetricFamily[] {
  const { rss, heapUsed } = process.memoryUsage()
  const { user, system } = process.cpuUsage()
  const seconds = (nanoseconds: number) => {
    const lag = nanoseconds / NANOSECONDS - LOOP_RESOLUTION_MS / 1000
    return Number.isFinite(lag) ? Math.max(0, lag) : 0
  }
  const families = [
    gauge(
      'tollgate_build_info',
      'The running version; the value is always 1',
      [{ value: 1, labels: { version: VERSION } }],
      'max',
    ),
    gauge('tollgate_workers', 'Serving processes', one(1)),
    gauge(
      'tollgate_event_loop_lag_seconds',
      'Mean lag of the event loop since the last scrape',
      one(seconds(loop.mean)),
      'max',
    ),
    gauge(
      'tollgate_event_loop_lag_p99_seconds',
      '99th percentile of the event loop lag',
      one(seconds(loop.percentile(99))),
      'max',
    ),
    gauge('process_resident_memory_bytes', 'Resident memory of all processes', one(rss)),
    gauge('nodejs_heap_size_used_bytes', 'Used heap of all processes', one(heapUsed)),
    counter('process_cpu_seconds_total', 'CPU time of all processes', one((user + system) / 1e6)),
    gauge('process_start_time_seconds', 'Start time of the newest process', one(startedAt), 'max'),
  ]
  loop.reset()
  return families
}
