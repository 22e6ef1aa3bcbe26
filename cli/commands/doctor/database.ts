import { GATEWAY } from '../../../core/actor.ts'
import { CHANNEL_STATUS } from '../../../core/channels/channel.ts'
import type { Config } from '../../../core/config.ts'
import { CLOCK_SKEW_MAX_MS } from '../../../core/db/clock-skew.ts'
import { requireSqliteDriver } from '../../../core/db/sqlite-driver.ts'
import { GatewayError } from '../../../core/errors.ts'
import { commaList } from '../../../core/input.ts'
import { type LocalToolkit, openToolkit } from '../../../core/toolkit.ts'
import { databaseState, sqliteFile } from '../../database-state.ts'
import { failureOf } from '../../errors.ts'
import { counted } from '../../input/enum-labels.ts'
import type { Texts } from '../../texts.ts'
import { type Finding, findings } from './finding.ts'

const CHANNELS_MAX = 1000
const NAMED_MAX = 5
/** Clock difference allowed between machines. */
const CLOCK_SKEW_S = 300

/** Checks the database and its contents. Does not open a missing database or one with pending migrations. */
export async function checkDatabase(texts: Texts, config: Config): Promise<Finding[]> {
  const { say } = texts
  const { ok, warn, fail } = findings('database')
  try {
    const state = await databaseState(config)
    if (!state.exists) {
      // Loads the driver, because a start would fail without it.
      if (sqliteFile(config.databaseUrl) !== undefined) requireSqliteDriver()
      return [ok(say`none yet: created at the first start`)]
    }
    const { pending } = state
    if (pending.length)
      return [
        warn(
          say`older than this version: the next start migrates it (${pending.join(', ')})`,
          say`Back up first: tollgate db backup <file>`,
        ),
      ]
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
        ok(say`${toolkit.db.name} is reachable and up to date`),
        ...contents.filter((finding) => finding !== undefined),
      ]
    } finally {
      await toolkit.close()
    }
  } catch (error) {
    // The message has the command to run.
    if (error instanceof GatewayError && error.code === 'DATABASE_UNFINISHED')
      return [fail(failureOf(error, texts.language).message)]
    return [
      fail(failureOf(error, texts.language).message, say`Check DATABASE_URL and TOLLGATE_SECRET: tollgate config`),
    ]
  }
}

/** Whether the sqlite3 package is fully installed; undefined for PostgreSQL. */
export function checkSqliteDriver(texts: Texts, { databaseUrl }: Pick<Config, 'databaseUrl'>): Finding | undefined {
  if (sqliteFile(databaseUrl) === undefined) return undefined
  const { ok, fail } = findings('sqlite3')
  try {
    requireSqliteDriver()
    return ok(texts.say`native module loads`)
  } catch (error) {
    return fail(failureOf(error, texts.language).message)
  }
}

/** Compares this machine's clock, which sets token expiry and log times, with the database's. SQLite has no clock of its own. */
async function checkClockSkew({ say }: Texts, { db, clockSkew }: LocalToolkit): Promise<Finding | undefined> {
  if (db.kind === 'sqlite') return undefined
  const { ok, warn } = findings('clock')
  const skewMs = Math.abs(await clockSkew.measure())
  const text = say`${(skewMs / 1000).toFixed(1)} s off the database clock`
  return skewMs <= CLOCK_SKEW_MAX_MS ? ok(text) : warn(text, say`Correct the wrong clock`)
}

/** Log rows in the future show that the clock was set back. */
async function checkLogTimes({ say }: Texts, { accounts, logs }: LocalToolkit): Promise<Finding | undefined> {
  const { warn } = findings('clock')
  const root = await accounts.findRoot()
  const [newest] = root ? (await logs.list(root, { pageSize: 1 })).items : []
  const now = Math.floor(Date.now() / 1000)
  if (!newest || newest.created_at <= now + CLOCK_SKEW_S) return undefined
  const time = new Date(newest.created_at * 1000).toISOString()
  return warn(say`the newest log row has the time ${time}, in the future`, say`Correct the clock of this machine`)
}

async function checkChannels({ say }: Texts, { accounts, channels, pricing }: LocalToolkit): Promise<Finding[]> {
  const root = await accounts.findRoot()
  if (!root) return [findings('root user').warn(say`none yet`, say`Run tollgate init, or start the gateway once`)]
  const { ok, warn } = findings('channels')
  const { items } = await channels.list(root, { status: CHANNEL_STATUS.enabled, pageSize: CHANNELS_MAX })
  if (items.length === 0) return [warn(say`none enabled: requests cannot be served`, 'tollgate channel add --help')]
  const models = [...new Set(items.flatMap((channel) => commaList(channel.models)))]
  const unpriced: string[] = []
  for (const model of models) {
    if (!(await pricing.find({ model, group: 'default' }))) unpriced.push(model)
  }
  return [ok(say`${items.length} enabled, ${models.length} models`), pricesFinding({ say }, unpriced, models.length)]
}

function pricesFinding({ say }: Pick<Texts, 'say'>, unpriced: readonly string[], modelCount: number): Finding {
  const { ok, warn } = findings('prices')
  if (unpriced.length === 0) return ok(say`all ${modelCount} models have a price`)
  const more = unpriced.length > NAMED_MAX ? ' …' : ''
  return warn(
    say`${unpriced.length} of ${modelCount} models have no price, so requests are rejected: ${unpriced.slice(0, NAMED_MAX).join(', ') + more}`,
    say`Set ModelRatio or ModelPrice, or allow a default: tollgate option set DefaultModelRatio 1`,
  )
}

/** Reports the leader, the last run of each job, and failures. */
async function checkJobs({ say, text }: Texts, { jobs }: LocalToolkit): Promise<Finding> {
  const { ok, warn } = findings('jobs')
  const list = await jobs.list(GATEWAY)
  const leaders = [...new Set(list.map(({ leader }) => leader).filter((leader) => leader !== ''))]
  if (leaders.length === 0) return ok(say`no leader: no gateway is running`)
  const failed = list.find(({ every, outcome }) => every > 0 && outcome.startsWith('failed'))
  if (failed) return warn(`${failed.name} ${failed.outcome}`, say`The next run retries it; see the gateway log`)
  const last = list.map(
    ({ name, started_at }) => `${name} ${started_at ? new Date(started_at * 1000).toISOString() : text('not yet')}`,
  )
  return ok(say`leader ${leaders.join(', ')}; last runs: ${last.join(', ')}`)
}

async function checkCopy({ say }: Texts, { db }: LocalToolkit): Promise<Finding | undefined> {
  const { notesOfCopy } = await import('../../../core/db/copy/changes.ts')
  const notes = await notesOfCopy(db)
  if (notes === undefined) return undefined
  return findings('copy').warn(
    say`a database copy is running or was killed: row changes are recorded (${notes} so far)`,
    say`If none is running: tollgate db repair`,
  )
}

async function checkBooks({ say }: Texts, { ledger }: LocalToolkit): Promise<Finding> {
  const { ok, fail } = findings('ledger')
  const { equal, users, differences, rows } = await ledger.verify()
  return equal
    ? ok(counted(users, say`the ledger balances for 1 user`, say`the ledger balances for ${users} users`))
    : fail(
        say`the ledger differs in ${differences.length + rows.length} rows`,
        say`See the rows: tollgate ledger verify`,
      )
}
