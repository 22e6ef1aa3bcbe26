import { createHash } from 'node:crypto'
import { type Actor, ROLE, requireRole } from '../../actor.ts'
import type { Database } from '../../db/database.ts'
import { GatewayError } from '../../errors.ts'
import { inParts } from '../../in-parts.ts'
import { applyFilter } from '../filter.ts'
import { LOG_ROW_COLUMNS, NEWEST_BY_ID, NEWEST_BY_TIME, type StoredLog, toLogs } from '../rows.ts'
import type { LogStat } from '../schema.ts'
import { grouped, HOUR_S, hourOf, noSums } from './cells.ts'
import { type Grouping, type Metric, TEAM_GROUPINGS } from './groupings.ts'
import { type Histogram, percentile } from './histogram.ts'
import { readCountedState, rollUp } from './roll-up.ts'
import type { Dashboard, UsageGroup } from './schema.ts'
import { type NamedUsage, OWN_GROUPINGS, type RankedGroup, rank, sumUsages, totalsOf } from './totals.ts'
import { allUsage, ownUsage, type Period, type PeriodUsage } from './usage.ts'

export interface DashboardQuery {
  /** `all`: the relays of all users, for administrators only. `own`: the actor's relays. Ignored with `username`. */
  scope: 'own' | 'all'
  /** The user whose relays are shown. For administrators only. */
  username?: string
  /** Whether the actor is a team's account. */
  ofTeam?: true
  /** If set, only relays with the keys of this team member are included. */
  memberId?: number
  /** Start in Unix seconds. If absent, `lastHours` before the end. */
  start?: number
  /** End in Unix seconds, inclusive. If absent, now. */
  end?: number
  lastHours: number
  by: Grouping
  metric: Metric
}

const RANGE_MAX_S = 92 * 86_400
const GROUPS_MAX = 8
const TOPS_MAX = 10
const ERRORS_MAX = 10
const NEWEST_ROWS = 10
/** Maximum number of cached dashboards. */
const CACHED_MAX = 32
/**
 * Maximum number of times that a dashboard is computed. While the usage job (`rollUp`) has many rows to count, it may
 * store counts during each computation.
 */
const TRIES_MAX = 3

interface Parts {
  db: Database
  now: () => number
  /** Returns the number of relays and tokens of the last minute. */
  rate: (filter: { userId?: number; memberId?: number }) => Promise<Pick<LogStat, 'rpm' | 'tpm'>>
}

export function createDashboard({ db, now, rate }: Parts) {
  const cache = new Map<string, Promise<Dashboard>>()

  return {
    /** Counts new log rows for the dashboard. Returns the number of counted rows. */
    rollUpUsage: (signal?: AbortSignal): Promise<number> => rollUp({ db, now }, signal),

    /**
     * Returns the dashboard's data and version. If the version is `knownVersion`, returns no `data`, because the caller
     * has it. Throws PERMISSION_DENIED, USER_NOT_FOUND, and RANGE_TOO_LONG for more than 92 days.
     */
    async dashboard(
      actor: Actor,
      query: DashboardQuery,
      knownVersion?: string,
    ): Promise<{ version: string; data?: Dashboard }> {
      const userId = await userOf(actor, query)
      const period = periodOf(query, now())
      const version = await versionOf({ actor, userId, query, period })
      if (version === knownVersion) return { version }
      let data = cache.get(version)
      if (!data) {
        data = compute(actor, { userId, query, period })
        addToCache(version, data)
      }
      try {
        return { version, data: await data }
      } catch (error) {
        cache.delete(version)
        throw error
      }
    },
  }

  function addToCache(version: string, data: Promise<Dashboard>): void {
    cache.set(version, data)
    const [oldest] = cache.keys()
    if (cache.size > CACHED_MAX && oldest !== undefined) cache.delete(oldest)
  }

  /** Returns the id of the user whose relays are shown, or undefined for all users. */
  async function userOf(actor: Actor, { scope, username = '' }: DashboardQuery): Promise<number | undefined> {
    if (username === '') {
      if (scope === 'all') requireRole(actor, ROLE.admin)
      return scope === 'all' ? undefined : actor.id
    }
    requireRole(actor, ROLE.admin)
    const user = await db.reader('users').where({ username }).first('id')
    if (!user) throw new GatewayError('USER_NOT_FOUND', { id: username })
    return Number(user.id)
  }

  /** Returns the version of the data, without computing the data. It is a digest of everything on which they depend. */
  async function versionOf({ actor, userId, query, period }: ResolvedQuery & { actor: Actor }): Promise<string> {
    const newest = db.reader('logs').modify((rows) => void (userId !== undefined && rows.where({ user_id: userId })))
    const [row, state, account, recent] = await Promise.all([
      newest.orderBy(userId === undefined ? NEWEST_BY_ID : NEWEST_BY_TIME).first('id'),
      userId === undefined ? readCountedState(db.reader) : undefined,
      accountOf(actor),
      rateOf(userId, query.memberId),
    ])
    const parts = [actor.role >= ROLE.admin, actor.id, userId, query, period.start, hourOf(period.end)]
    return createHash('sha256')
      .update(JSON.stringify([parts, Number(row?.id ?? 0), state?.done, account, recent]))
      .digest('base64url')
      .slice(0, VERSION_LENGTH)
  }

  async function accountOf({ id }: Actor): Promise<Dashboard['account']> {
    const user = await db.reader('users').where({ id }).first('quota', 'used_quota', 'request_count')
    const { quota = 0, used_quota = 0, request_count = 0 } = user ?? {}
    return { quota: Number(quota), used_quota: Number(used_quota), request_count: Number(request_count) }
  }

  function rateOf(userId: number | undefined, memberId = 0): Promise<Pick<LogStat, 'rpm' | 'tpm'>> {
    return rate({ ...(userId !== undefined && { userId }), ...(memberId > 0 && { memberId }) })
  }

  /** Computes the data. Repeats this if the usage job stored counts meanwhile, because rows would count twice. */
  async function compute(actor: Actor, resolved: ResolvedQuery): Promise<Dashboard> {
    for (let tries = 1; ; tries += 1) {
      const before = await readCountedState(db.reader)
      const dashboard = await computeOnce(actor, resolved)
      const isSteady = resolved.userId !== undefined || before?.done === (await readCountedState(db.reader))?.done
      if (isSteady || tries === TRIES_MAX) return dashboard
    }
  }

  async function computeOnce(actor: Actor, { userId, query, period }: ResolvedQuery): Promise<Dashboard> {
    const usage =
      userId === undefined
        ? await allUsage(db, period, now())
        : await ownUsage(db, { userId, memberId: query.memberId, period })
    const groupings: readonly Grouping[] = query.ofTeam ? TEAM_GROUPINGS : OWN_GROUPINGS
    const by = userId === undefined || groupings.includes(query.by) ? query.by : 'model'
    const [account, recent, newest] = await Promise.all([
      accountOf(actor),
      rateOf(userId, query.memberId),
      newestRows(actor, userId, query.memberId),
    ])
    const { metric } = query
    const counted = by === 'member' ? await byMember(db, await usage.named('token')) : await usage.named(by)
    const ranked = rank(by === 'model' ? withFailures(usage.models, counted) : counted, { metric, max: GROUPS_MAX })
    const top = async (kind: 'user' | 'member' | 'token' | 'channel') => {
      const names =
        kind === 'member' ? await byMember(db, await usage.top('token', metric)) : await usage.top(kind, metric)
      const { groups } = rank(names, { metric, max: TOPS_MAX })
      const named = groups.filter(({ name }) => name !== '')
      return addLabels(usage, kind, named)
    }
    const [groups, users, members, tokens, channels, errors] = await Promise.all([
      addLabels(usage, by, ranked.groups),
      userId === undefined ? top('user') : [],
      query.ofTeam && query.memberId === undefined ? top('member') : [],
      top('token'),
      userId === undefined ? top('channel') : [],
      usage.top('error', 'count'),
    ])
    return {
      start: period.start,
      end: period.end,
      counted_until: usage.countedUntil,
      sampled: usage.isSampled,
      account,
      ...recent,
      totals: totalsOf(usage.all(period.start, period.end), usage.sums.current),
      compared: totalsOf(usage.all(period.start, period.lastWhole - 1), usage.sums.compared),
      previous: totalsOf(usage.all(period.previous, period.start - 1), usage.sums.previous),
      errors: errorsOf(errors),
      by,
      groups,
      group_count: ranked.groupCount,
      series: ranked.series,
      users,
      members,
      tokens,
      channels,
      newest,
    }
  }

  async function addLabels(usage: PeriodUsage, kind: Grouping, groups: RankedGroup[]): Promise<UsageGroup[]> {
    const names = groups.map(({ name }) => name).filter((name) => name !== '')
    const isTimed = kind === 'model' || kind === 'channel'
    const [labels, latencies] = await Promise.all([
      readUsageLabels(db, kind, names),
      isTimed ? usage.latencies(kind, names) : new Map<string, Histogram>(),
    ])
    return groups.map((group) => ({
      ...group,
      label: labels.get(group.name) ?? group.name,
      latency_p95: percentile(latencies.get(group.name) ?? new Map(), 0.95),
    }))
  }

  async function newestRows(
    actor: Actor,
    userId: number | undefined,
    memberId: number | undefined,
  ): Promise<Dashboard['newest']> {
    const isAdmin = actor.role >= ROLE.admin
    const rows: StoredLog[] = await db
      .reader('logs')
      .modify(applyFilter, { ...(userId !== undefined && { userId }), ...(memberId !== undefined && { memberId }) })
      .orderBy(userId === undefined ? NEWEST_BY_ID : NEWEST_BY_TIME)
      .limit(NEWEST_ROWS)
      .select(LOG_ROW_COLUMNS)
    return toLogs(db, rows, isAdmin)
  }
}

interface ResolvedQuery {
  userId: number | undefined
  query: DashboardQuery
  period: Period
}

const VERSION_LENGTH = 22

/** Returns the period of a query. It starts with a full hour. Throws RANGE_TOO_LONG. */
function periodOf({ start, end, lastHours }: DashboardQuery, now: number): Period {
  const until = end ?? now
  const from = hourOf(Math.max(0, start ?? hourOf(until) - lastHours * HOUR_S))
  if (until - from > RANGE_MAX_S) throw new GatewayError('RANGE_TOO_LONG')
  // Exclude the current hour, because it is not complete and cannot be compared with the previous period.
  const lastWhole = Math.max(from, hourOf(Math.min(until + 1, now)))
  return { start: from, end: until, lastWhole, previous: Math.max(0, from - (lastWhole - from)) }
}

function errorsOf(errors: ReadonlyMap<string, NamedUsage>): Dashboard['errors'] {
  return [...errors.values()]
    .filter(({ name }) => name !== '')
    .map(({ name, sums }) => ({ code: name, count: sums.count }))
    .sort((a, b) => b.count - a.count)
    .slice(0, ERRORS_MAX)
}

/** Replaces `ok` and `failed` in the exact sums of models by those of the counted rows. */
function withFailures(
  exact: ReadonlyMap<string, NamedUsage>,
  counted: ReadonlyMap<string, NamedUsage>,
): ReadonlyMap<string, NamedUsage> {
  const names = new Map(exact)
  for (const [name, { sums }] of counted) {
    const { ok, failed } = sums
    const usage = names.get(name) ?? { name, sums: noSums(), hours: new Map() }
    if (names.has(name) || failed > 0) names.set(name, { ...usage, sums: { ...usage.sums, ok, failed } })
  }
  return names
}

const IDS_PER_QUERY = 500

/** Sums the usage of a team's keys by the id of the member who created them. Includes deleted keys. */
async function byMember(
  { reader }: Database,
  tokens: ReadonlyMap<string, NamedUsage>,
): Promise<Map<string, NamedUsage>> {
  const ids = [...tokens.keys()].map(Number)
  const memberOf = new Map<string, string>()
  for (const part of inParts(ids, IDS_PER_QUERY)) {
    const rows: { id: number; member_id: number | null }[] = await reader('tokens')
      .whereIn('id', part)
      .select('id', 'member_id')
    for (const { id, member_id } of rows) memberOf.set(String(id), String(member_id ?? ''))
  }
  const members = grouped(tokens.values(), ({ name }) => memberOf.get(name) ?? '')
  return new Map([...members].map(([name, usages]) => [name, sumUsages(usages, name)]))
}

const TABLES = {
  user: ['users', 'username'],
  member: ['users', 'username'],
  token: ['tokens', 'name'],
  channel: ['channels', 'name'],
} as const

/** Returns the current names of users, members, tokens or channels, by id as text. Omits ids without a row. */
async function readUsageLabels(
  db: Database,
  kind: Grouping,
  names: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  if (kind === 'model' || kind === 'group') return new Map()
  const ids = names.map(Number).filter((id) => Number.isSafeInteger(id) && id > 0)
  if (ids.length === 0) return new Map()
  const [table, column] = TABLES[kind]
  const rows: { id: number; label: string }[] = await db
    .reader(table)
    .whereIn('id', ids)
    .select('id', `${column} as label`)
  return new Map(rows.map(({ id, label }) => [String(id), label || `#${id}`]))
}
