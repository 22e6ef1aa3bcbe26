import { existsSync } from 'node:fs'
import { statfs } from 'node:fs/promises'
import type { Config } from '../../core/config.ts'
import { CLOCK_SKEW_MAX_MS } from '../../core/db/clock-skew.ts'
import { pendingMigrations } from '../../core/db/migrate.ts'
import { findSequencesBehind } from '../../core/db/sequences.ts'
import type { LocalToolkit } from '../../core/toolkit.ts'
import type { Check } from './readiness.ts'

/** Maximum age of the last successful write. The check fails if it is older. */
const WRITE_AGE_MAX_MS = 5000
/** Maximum age of a write for which the check trusts it. If the last write is older, the check itself writes a row. */
const WRITE_FRESH_MS = 2000
/** Interval before a passed check of migrations or sequences is repeated. They rarely change while a gateway runs. */
const SCHEMA_FRESH_MS = 60_000
const MEGABYTE = 1024 * 1024
const DISK_MIN = 32 * MEGABYTE

/** Returns the checks that a gateway must pass before it gets requests. */
export function readinessChecks({
  toolkit,
  config,
}: {
  toolkit: Pick<LocalToolkit, 'db' | 'ledger' | 'clockSkew'>
  config: Pick<Config, 'dataFolder'>
}): Check[] {
  return [
    ledgerCheck(toolkit.ledger),
    migrationsCheck(toolkit.db),
    sequencesCheck(toolkit.db),
    diskCheck(config.dataFolder),
    clockCheck(toolkit.clockSkew),
  ]
}

/** Passes if a write to the ledger succeeded within the last seconds. */
function ledgerCheck(ledger: Pick<LocalToolkit['ledger'], 'lastWriteMs' | 'heartbeat'>): Check {
  const ageMs = () => performance.now() - (ledger.lastWriteMs ?? Number.NEGATIVE_INFINITY)
  return {
    name: 'ledger',
    async run() {
      // A single failed write is no reason to route requests elsewhere, so only the age of the last successful write
      // counts.
      if (ageMs() > WRITE_FRESH_MS) await ledger.heartbeat().catch(() => {})
      const age = ageMs()
      if (age <= WRITE_AGE_MAX_MS) return undefined
      return Number.isFinite(age)
        ? `The ledger has not written to the database for ${Math.round(age / 1000)} s.`
        : 'The ledger has not written to the database yet.'
    },
  }
}

/** Returns a check that is not repeated for a minute after it has passed. */
function schemaCheck(name: string, findProblem: () => Promise<string | undefined>): Check {
  let passedUntil = 0
  return {
    name,
    async run() {
      if (performance.now() < passedUntil) return undefined
      const problem = await findProblem()
      if (problem === undefined) passedUntil = performance.now() + SCHEMA_FRESH_MS
      return problem
    },
  }
}

/**
 * Fails while migrations are pending. Passes if the database has migrations of a newer version, because both versions
 * serve during an upgrade.
 */
function migrationsCheck({ reader }: Pick<LocalToolkit['db'], 'reader'>): Check {
  return schemaCheck('migrations', async () => {
    const pending = await pendingMigrations(reader)
    if (pending.length === 0) return undefined
    return `The database is older than this version: ${pending.join(', ')} must be applied.`
  })
}

/**
 * Fails if sequences are behind their tables, such as after a restore. New rows would then get ids that already exist.
 */
function sequencesCheck(db: Pick<LocalToolkit['db'], 'kind' | 'reader'>): Check {
  return schemaCheck('sequences', async () => {
    const sequencesBehind = await findSequencesBehind(db)
    if (sequencesBehind.length === 0) return undefined
    const tables = sequencesBehind.map(({ table }) => table).join(', ')
    return `Sequences are behind their tables (${tables}): run tollgate db repair.`
  })
}

/**
 * Fails if the disk is almost full, because SQLite's files and uploads need space. With PostgreSQL, the folder may not
 * exist.
 */
function diskCheck(folder: string): Check {
  return {
    name: 'disk',
    async run() {
      if (!existsSync(folder)) return undefined
      const { bavail, bsize } = await statfs(folder)
      const free = bavail * bsize
      if (free >= DISK_MIN) return undefined
      return `The disk of the data folder has ${Math.floor(free / MEGABYTE)} MB left; the minimum is ${DISK_MIN / MEGABYTE} MB.`
    },
  }
}

function clockCheck(clockSkew: Pick<LocalToolkit['clockSkew'], 'measure'>): Check {
  return {
    name: 'clock',
    async run() {
      const skewMs = Math.abs(await clockSkew.measure())
      if (skewMs <= CLOCK_SKEW_MAX_MS) return undefined
      return `The clocks of this machine and the database differ by ${Math.round(skewMs / 1000)} s; the limit is ${CLOCK_SKEW_MAX_MS / 1000} s.`
    },
  }
}
