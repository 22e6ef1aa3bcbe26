import { GATEWAY } from '../../../core/actor.ts'
import { CHANNEL_STATUS } from '../../../core/channels/channel.ts'
import type { Config } from '../../../core/config.ts'
import { CLOCK_SKEW_MAX_MS } from '../../../core/db/clock-skew.ts'
import { countChangesOfCopy } from '../../../core/db/copy/changes.ts'
import { requireSqliteDriver } from '../../../core/db/sqlite-driver.ts'
import { GatewayError } from '../../../core/errors.ts'
import { commaList } from '../../../core/input.ts'
import { type LocalToolkit, openToolkit } from '../../../core/toolkit.ts'
import { databaseState, sqliteFile } from '../../database-state.ts'
import { failureOf } from '../../errors.ts'
import type { Texts } from '../../texts.ts'
import { allChannels } from '../channel/find.ts'
import { type Finding, findings } from './finding.ts'

const NAMED_MAX = 5
/** Clock difference allowed between machines. */
const CLOCK_SKEW_S = 300

/** Checks the database. Does not check the contents of a missing database, or of a database with pending migrations. */
export async function checkDatabase(texts: Texts, config: Config): Promise<Finding[]> {
  const { t } = texts
  const { ok, warn, fail } = findings('database')
  try {
    const state = await databaseState(config)
    if (!state.exists) {
      // Loads the driver, because the gateway cannot start without it.
      if (sqliteFile(config.databaseUrl) !== undefined) requireSqliteDriver()
      return [ok(t('doctor.noneYet'))]
    }
    const { pending } = state
    if (pending.length)
      return [warn(t('doctor.olderThanThisVersion', { pending: pending.join(', ') }), t('doctor.backUpFirst'))]
    const toolkit = await openToolkit(config)
    try {
      const contents = [
        await checkClockSkew(texts, toolkit),
        await checkLogTimes(texts, toolkit),
        ...(await checkChannels(texts, toolkit)),
        await checkJobs(texts, toolkit),
        await checkCopy(texts, toolkit),
        await checkBooks(texts, toolkit),
      ]
      return [
        ok(t('doctor.isReachableAndUpToDate', { name: toolkit.db.name })),
        ...contents.filter((finding) => finding !== undefined),
      ]
    } finally {
      await toolkit.close()
    }
  } catch (error) {
    // The message already names the command that fixes the problem.
    if (error instanceof GatewayError && error.code === 'DATABASE_UNFINISHED')
      return [fail(failureOf(error, texts).message)]
    return [fail(failureOf(error, texts).message, t('doctor.checkDatabaseUrlAndTollgateSecret'))]
  }
}

/** Checks that the sqlite3 package is fully installed. Returns undefined for PostgreSQL. */
export function checkSqliteDriver(texts: Texts, { databaseUrl }: Pick<Config, 'databaseUrl'>): Finding | undefined {
  if (sqliteFile(databaseUrl) === undefined) return undefined
  const { ok, fail } = findings('sqlite3')
  try {
    requireSqliteDriver()
    return ok(texts.t('doctor.nativeModuleLoads'))
  } catch (error) {
    return fail(failureOf(error, texts).message)
  }
}

/**
 * Compares this machine's clock, which sets token expiry and log times, with the database's clock. Returns undefined
 * for SQLite, which has no clock of its own.
 */
async function checkClockSkew({ t }: Texts, { db, clockSkew }: LocalToolkit): Promise<Finding | undefined> {
  if (db.kind === 'sqlite') return undefined
  const { ok, warn } = findings('clock')
  const skewMs = Math.abs(await clockSkew.measure())
  const text = t('doctor.sOffTheDatabaseClock', { skewMs: (skewMs / 1000).toFixed(1) })
  return skewMs <= CLOCK_SKEW_MAX_MS ? ok(text) : warn(text, t('doctor.correctTheWrongClock'))
}

/** Checks that no log row is in the future. Such a row shows that the clock was set back. */
async function checkLogTimes({ t }: Texts, { accounts, logs }: LocalToolkit): Promise<Finding | undefined> {
  const { warn } = findings('clock')
  const root = await accounts.findRoot()
  const [newest] = root ? (await logs.list(root, { pageSize: 1 })).items : []
  const now = Math.floor(Date.now() / 1000)
  if (!newest || newest.created_at <= now + CLOCK_SKEW_S) return undefined
  const time = new Date(newest.created_at * 1000).toISOString()
  return warn(t('doctor.theNewestLogRow', { time }), t('doctor.correctTheClockOfThisMachine'))
}

async function checkChannels({ t }: Texts, { accounts, channels, pricing }: LocalToolkit): Promise<Finding[]> {
  const root = await accounts.findRoot()
  if (!root) return [findings('root user').warn(t('doctor.noJobsYet'), t('doctor.runTollgateInit'))]
  const { ok, warn } = findings('channels')
  const items = await allChannels({ channels }, root, { status: CHANNEL_STATUS.enabled })
  if (items.length === 0) return [warn(t('doctor.noneEnabled'), 'tollgate channel add --help')]
  const models = [...new Set(items.flatMap((channel) => commaList(channel.models)))]
  const unpriced: string[] = []
  for (const model of models) {
    if (!(await pricing.find({ model, group: 'default' }))) unpriced.push(model)
  }
  return [
    ok(t('doctor.enabled', { enabled: items.length, count: models.length })),
    pricesFinding({ t }, unpriced, models.length),
  ]
}

function pricesFinding({ t }: Pick<Texts, 't'>, unpriced: readonly string[], modelCount: number): Finding {
  const { ok, warn } = findings('prices')
  if (unpriced.length === 0) return ok(t('doctor.allModelsHaveAPrice', { count: modelCount }))
  const more = unpriced.length > NAMED_MAX ? ' …' : ''
  return warn(
    t('doctor.ofModelsHaveNoPrice', {
      count: unpriced.length,
      modelCount,
      unpriced: unpriced.slice(0, NAMED_MAX).join(', ') + more,
    }),
    t('doctor.setModelRatioOrModelPrice'),
  )
}

/** Reports the leader, or a failed job. */
async function checkJobs({ t }: Texts, { jobs }: LocalToolkit): Promise<Finding> {
  const { ok, warn } = findings('jobs')
  const list = await jobs.list(GATEWAY)
  const leaders = [...new Set(list.map(({ leader }) => leader).filter((leader) => leader !== ''))]
  if (leaders.length === 0) return ok(t('doctor.noLeader'))
  const failed = list.find(({ every, outcome }) => every > 0 && outcome.startsWith('failed'))
  if (failed) return warn(`${failed.name} ${failed.outcome}`, t('doctor.theNextRunRetries'))
  return ok(t('doctor.leaderNoFailures', { leaders: leaders.join(', ') }))
}

async function checkCopy({ t }: Texts, { db }: LocalToolkit): Promise<Finding | undefined> {
  const changes = await countChangesOfCopy(db)
  if (changes === undefined) return undefined
  return findings('copy').warn(t('db.aDatabaseCopyIsRunning', { changes }), t('db.ifNoneIsRunning'))
}

async function checkBooks({ t }: Texts, { ledger }: LocalToolkit): Promise<Finding> {
  const { ok, fail } = findings('ledger')
  const { equal, users, differences, rows } = await ledger.verify()
  return equal
    ? ok(t('doctor.theLedgerBalancesForUsers', { count: users }))
    : fail(t('doctor.theLedgerDiffersInRows', { count: differences.length + rows.length }), t('doctor.seeTheRows'))
}
