import type { Knex } from 'knex'
import { fromJson, type JsonText } from '../db/json.ts'
import { inParts } from '../in-parts.ts'
import { withoutReplaced } from '../limits/applicable.ts'
import type { ClockMs } from '../limits/exchange.ts'
import { EACH, type LiveLimit } from '../limits/limit.ts'
import { readLimits } from '../limits/rows.ts'
import { partAt, partsInWindow, sumOf } from '../limits/windows.ts'
import type { Rows } from '../tables/rows.ts'
import { TOKEN_STATUS } from '../tokens/token.ts'
import { IDS_PER_QUERY } from './changed-accounts.ts'
import { DEFAULT_PERCENTS, type NoticeEvent } from './notice.ts'
import { levelOf, percentsIn } from './thresholds.ts'

export interface MeasuredUser {
  id: number
  username: string
  quota: number
}

/** The usage of a balance or budget. */
export interface MeasuredUsage {
  readonly event: Extract<NoticeEvent, 'balance.reached' | 'budget.reached'>
  readonly subject: string
  readonly userId: number
  /** The member who created the team key. */
  readonly memberId?: number
  /** The highest reached percentage, or 0. */
  readonly level: number
  /**
   * Identifies the credit after which a balance counts as full. After another credit, all thresholds can be reached
   * again. Empty for budgets.
   */
  readonly basis: string
  readonly data: Readonly<Record<string, unknown>>
}

type TokenRow = Pick<
  Rows['tokens'],
  'id' | 'user_id' | 'member_id' | 'name' | 'status' | 'unlimited_quota' | 'remain_quota' | 'used_quota'
>
interface WindowUse {
  readonly limitId: number
  readonly subject: 'user' | 'token'
  readonly subjectId: number
  readonly period: string
  readonly used: number
  readonly total: number
}

/** Seconds and minutes are excluded, because such windows end before a notice arrives. */
const PERIODS = ['hour', 'day', 'week', 'month']
/** The kinds of credits after which a balance counts as full. Refunds and corrections are excluded. */
const CREDITS = ['opening', 'grant', 'redemption', 'topup', 'invite', 'transfer', 'edit']

/** Measures the balances of users, the budgets of their keys and their windows of quota. */
export async function measureUsage(db: Knex, users: readonly MeasuredUser[], clock: ClockMs): Promise<MeasuredUsage[]> {
  const ids = users.map(({ id }) => id)
  const tokens: TokenRow[] = await db('tokens')
    .whereIn('user_id', ids)
    .whereNull('deleted_at')
    .select('id', 'user_id', 'member_id', 'name', 'status', 'unlimited_quota', 'remain_quota', 'used_quota')
  const percents = await readPercents(db, ids)
  const percentsOf = (subject: 'user' | 'token', id: number) => percents.get(`${subject}:${id}`) ?? DEFAULT_PERCENTS
  const lastCredits = await readLastCredits(db, ids)
  const windows = await windowUses(db, { user: ids, token: tokens.map(({ id }) => id) }, clock)
  const usernames = new Map(users.map(({ id, username }) => [id, username]))
  const tokensById = new Map(tokens.map((token) => [token.id, token]))
  return [
    ...users.flatMap((user) => balanceOf(user, lastCredits.get(user.id), percentsOf('user', user.id))),
    ...tokens.flatMap((token) => budgetOf(token, usernames.get(token.user_id) ?? '', percentsOf('token', token.id))),
    ...windows.flatMap((window) => {
      const { subject, subjectId } = window
      const token = subject === 'token' ? tokensById.get(subjectId) : undefined
      const userId = subject === 'token' ? token?.user_id : subjectId
      const account = userId === undefined ? undefined : usernames.get(userId)
      if (userId === undefined || account === undefined) return []
      const owner = { userId, username: account, name: token?.name ?? account, ...(token && memberOf(token)) }
      return [windowOf(window, owner, percentsOf(subject, subjectId))]
    }),
  ]
}

/** Compares a balance with the balance after its last credit. Returns nothing if the balance was never credited. */
function balanceOf(
  { id, username, quota }: MeasuredUser,
  lastCredit: { id: number; balance_after: number } | undefined,
  percents: readonly number[],
): MeasuredUsage[] {
  if (!lastCredit) return []
  const total = Number(lastCredit.balance_after)
  const level = levelOf(percents, { used: total - Number(quota), total })
  return [
    {
      event: 'balance.reached',
      subject: `user:${id}`,
      userId: id,
      level,
      basis: `entry:${lastCredit.id}`,
      data: { user_id: id, username, percent: level, quota: Number(quota), total },
    },
  ]
}

function budgetOf(token: TokenRow, username: string, percents: readonly number[]): MeasuredUsage[] {
  if (token.unlimited_quota) return []
  const [left, spent] = [Number(token.remain_quota), Number(token.used_quota)]
  const total = left + spent
  // Count the budget of an exhausted key as used up, because the remaining quota is not enough for a request.
  const used = token.status === TOKEN_STATUS.exhausted ? total : spent
  const level = levelOf(percents, { used, total })
  return [
    {
      event: 'budget.reached',
      subject: `token:${token.id}`,
      userId: token.user_id,
      ...memberOf(token),
      level,
      basis: '',
      data: { token_id: token.id, name: token.name, username, percent: level, quota: left, total },
    },
  ]
}

function windowOf(
  { limitId, subject, subjectId, period, used, total }: WindowUse,
  { username, name, ...owner }: Pick<MeasuredUsage, 'userId' | 'memberId'> & { username: string; name: string },
  percents: readonly number[],
): MeasuredUsage {
  const level = levelOf(percents, { used, total })
  const quota = Math.max(0, total - used)
  return {
    event: 'budget.reached',
    subject: `limit:${limitId}/${subject}:${subjectId}`,
    ...owner,
    level,
    basis: '',
    data: { limit_id: limitId, [`${subject}_id`]: subjectId, name, username, period, percent: level, quota, total },
  }
}

const memberOf = ({ member_id }: TokenRow): Pick<MeasuredUsage, 'memberId'> =>
  member_id === null ? {} : { memberId: member_id }

/** Returns the usage of the windows of quota of users and keys. */
async function windowUses(
  db: Knex,
  subjects: Readonly<Record<'user' | 'token', readonly number[]>>,
  clock: ClockMs,
): Promise<WindowUse[]> {
  const ofQuota = (limits: Knex.QueryBuilder) => limits.where({ measure: 'quota' }).whereIn('period', PERIODS)
  if (!(await ofQuota(db('limits')).whereIn('subject', ['user', 'token']).first('id'))) return []
  const nowMs = await clock(db)
  const uses: WindowUse[] = []
  for (const subject of ['user', 'token'] as const) {
    for (const ids of inParts(subjects[subject].map(String), IDS_PER_QUERY)) {
      const limits = await readLimits(db, (all) =>
        ofQuota(all)
          .where({ subject })
          .whereIn('subject_id', [...ids, EACH]),
      )
      const limitIds = limits.map(({ id }) => id)
      const windows: WindowRow[] = await db('limit_windows')
        .whereIn('limit_id', limitIds)
        .whereIn('subject_id', ids)
        .select('limit_id', 'subject_id', 'taken')
      uses.push(...windows.flatMap((window) => useOf(window, { limits, subject, nowMs })))
    }
  }
  return uses
}

type WindowRow = Pick<Rows['limit_windows'], 'limit_id' | 'subject_id' | 'taken'>

function useOf(
  { limit_id, subject_id, taken }: WindowRow,
  { limits, subject, nowMs }: { limits: readonly LiveLimit[]; subject: WindowUse['subject']; nowMs: number },
): WindowUse[] {
  const limit = limits.find(({ id }) => id === limit_id)
  if (!limit) return []
  const ownLimits = limits.filter((each) => each.subject_id === subject_id)
  const isReplaced = limit.subject_id === EACH && withoutReplaced([limit], ownLimits).length === 0
  if (isReplaced) return []
  const { id: limitId, period, amount } = limit
  const used = sumOf(partsInWindow(fromJson(taken), partAt(limit, nowMs)))
  return [{ limitId, subject, subjectId: Number(subject_id), period, used, total: amount }]
}

async function readPercents(db: Knex, userIds: readonly number[]): Promise<Map<string, number[]>> {
  const tokens = db('tokens').whereIn('user_id', userIds).whereNull('deleted_at').select('id')
  const rows: { subject: string; subject_id: number; percents: JsonText<number[]> }[] = await db('notice_thresholds')
    .where((users) => users.where({ subject: 'user' }).whereIn('subject_id', userIds))
    .orWhere((keys) => keys.where({ subject: 'token' }).whereIn('subject_id', tokens))
    .select('subject', 'subject_id', 'percents')
  return new Map(rows.map(({ subject, subject_id, percents }) => [`${subject}:${subject_id}`, percentsIn(percents)]))
}

/** Returns the last entry that credited the balance of each user. */
async function readLastCredits(
  db: Knex,
  userIds: readonly number[],
): Promise<Map<number, { id: number; balance_after: number }>> {
  const last = db('ledger_entries')
    .whereIn('user_id', userIds)
    .whereIn('kind', CREDITS)
    .where('quota', '>', 0)
    .groupBy('user_id')
    .max('id')
  const rows: { id: number; user_id: number; balance_after: number }[] = await db('ledger_entries')
    .whereIn('id', last)
    .select('id', 'user_id', 'balance_after')
  return new Map(rows.map((row) => [row.user_id, row]))
}
