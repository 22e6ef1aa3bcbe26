import { LOG_TYPE } from '../logs/log.ts'
import type { AccountKind } from './balances.ts'
import type { EntryRow } from './chain.ts'
import type { Charge, NewTask } from './charge.ts'

/** The charge of one ended relay, and the quota to subtract from the process's reserves. */
export interface Settlement {
  charge: Charge
  /** Quota to subtract from the reserve of the user's balance, and from `held_quota` of the user's row. */
  userShrink: number
  /** The same for the token's budget. */
  tokenShrink: number
  /** Id of the token whose budget the hold uses, or 0 if the hold uses no budget. */
  budgetTokenId: number
  /** The epoch that reserved the held quota. Empty if no reserve covers the hold. */
  nodeId: string
  /** When the relay ended, in Unix seconds. Retries write the same time, which selects the partition on PostgreSQL. */
  at: number
  /**
   * Whether the charge is in a journal. The client may then have the whole reply. So the charge is written even if the
   * hold is lost, up to the balance and the budget.
   */
  isJournaled?: boolean
}

const HOUR_S = 3600

/** The summed changes of one user, token or channel. */
export interface RowTotals {
  id: number
  quota: number
  /** Number of charges. */
  count: number
  /** Quota to subtract from `held_quota`. */
  shrink: number
}
/** Quota to subtract from one reserve. */
export interface HoldShrink {
  nodeId: string
  account: AccountKind
  id: number
  quota: number
}
export type SettlementRow = Record<string, string | number | boolean>

/**
 * The summed changes of a batch, one for each changed row. Users, tokens and channels are sorted by id, and hours by
 * their key, so that all processes lock rows in the same order.
 */
interface SettlementBatch {
  users: RowTotals[]
  tokens: RowTotals[]
  channels: RowTotals[]
  holds: HoldShrink[]
  /** Dashboard counts by user, model and hour. */
  userHours: HourUsage[]
  /** Dashboard counts of all users by model and hour. */
  modelHours: HourRow[]
}

/** Sums a batch. Subtracts nothing from reserves of epochs outside `registered`, because these were released. */
export function sumSettlements(settlements: readonly Settlement[], registered: ReadonlySet<string>): SettlementBatch {
  const users = new Map<number, RowTotals>()
  const tokens = new Map<number, RowTotals>()
  const channels = new Map<number, RowTotals>()
  const holds = new Map<string, HoldShrink>()
  const userHours = new Map<string, HourUsage>()
  const modelHours = new Map<string, HourRow>()
  for (const { charge, userShrink, tokenShrink, nodeId, budgetTokenId, at } of settlements) {
    const isReserved = registered.has(nodeId)
    addTotals(users, charge.userId, charge.quota, isReserved ? userShrink : 0)
    addTotals(tokens, charge.tokenId, charge.quota, isReserved ? tokenShrink : 0)
    addTotals(channels, charge.channelId, charge.quota, 0)
    if (isReserved) {
      addShrink(holds, { nodeId, account: 'user', id: charge.userId, quota: userShrink })
      addShrink(holds, { nodeId, account: 'token', id: budgetTokenId, quota: tokenShrink })
    }
    const usage = usageOf(charge, at - (at % HOUR_S))
    const userKey = `${usage.user_id}\0${usage.model_name}\0${usage.username}\0${usage.created_at}`
    addUsage(userHours, userKey, usage, asUserHour)
    addUsage(modelHours, `${usage.model_name}\0${usage.created_at}`, usage, withoutUser)
  }
  const sorted = (totals: Map<number, RowTotals>) => [...totals.values()].sort((a, b) => a.id - b.id)
  return {
    users: sorted(users),
    tokens: sorted(tokens),
    channels: sorted(channels),
    holds: [...holds.values()],
    userHours: sortByKey(userHours),
    modelHours: sortByKey(modelHours),
  }
}

function addShrink(holds: Map<string, HoldShrink>, hold: HoldShrink): void {
  if (hold.quota === 0) return
  const key = `${hold.nodeId}${hold.account}${hold.id}`
  const before = holds.get(key)
  if (before) before.quota += hold.quota
  else holds.set(key, hold)
}

/** Adds a charge to the totals of a row. Id 0 means no row: requests from the playground have no token. */
function addTotals(totals: Map<number, RowTotals>, id: number, quota: number, shrink: number): void {
  if (id === 0) return
  const total = totals.get(id)
  if (total) {
    total.quota += quota
    total.count += 1
    total.shrink += shrink
  } else totals.set(id, { id, quota, count: 1, shrink })
}

/** Returns the amounts that one charge adds to the counts of an hour. */
function usageOf({ userId, username, modelName, quota, promptTokens, completionTokens }: Charge, created_at: number) {
  return {
    user_id: userId,
    username: storableText(username, 64),
    model_name: storableText(modelName, NAME_LENGTH_MAX),
    created_at,
    count: 1,
    quota,
    token_used: count32(promptTokens) + count32(completionTokens),
  }
}

type HourUsage = ReturnType<typeof usageOf>
type HourRow = Omit<HourUsage, 'user_id' | 'username'>

const asUserHour = (usage: HourUsage): HourUsage => usage
const withoutUser = ({ user_id: _user, username: _name, ...ofModel }: HourUsage): HourRow => ofModel

/** Adds usage to the row of an hour. The first usage of the hour becomes the row. */
function addUsage<Counted extends HourRow>(
  hours: Map<string, Counted>,
  key: string,
  usage: HourUsage,
  toRow: (usage: HourUsage) => Counted,
): void {
  const hour = hours.get(key)
  if (!hour) {
    hours.set(key, toRow(usage))
    return
  }
  hour.count += usage.count
  hour.quota += usage.quota
  hour.token_used += usage.token_used
}

/** Sorts the rows. A fixed lock order prevents deadlocks between processes that update the same counts. */
const sortByKey = <Hour extends SettlementRow>(hours: Map<string, Hour>): Hour[] =>
  [...hours.entries()].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, row]) => row)

const NAME_LENGTH_MAX = 255
const INTEGER_MAX = 2 ** 31 - 1

// A batch is retried until it is written, so a value that its column rejects would block all later charges. Counts come
// from upstreams and names from clients. The functions below cut texts to fit their columns, and limit numbers.

function count32(value: number): number {
  return value > 0 ? Math.min(Math.trunc(value), INTEGER_MAX) : 0
}

/** Removes NUL, which PostgreSQL cannot store. Cuts to `max` code points, which PostgreSQL counts. */
function storableText(value: string, max?: number): string {
  const clean = value.includes('\0') ? value.replaceAll('\0', '') : value
  return max === undefined || clean.length <= max ? clean : [...clean.slice(0, 2 * max)].slice(0, max).join('')
}

/** Returns the log row of a charge. `at` is in Unix seconds. */
export function toLogRow(charge: Charge, at: number) {
  return {
    user_id: charge.userId,
    created_at: at,
    type: LOG_TYPE.consumption,
    content: storableText(charge.content),
    username: storableText(charge.username, 64),
    token_name: storableText(charge.tokenName, NAME_LENGTH_MAX),
    model_name: storableText(charge.modelName, NAME_LENGTH_MAX),
    quota: charge.quota,
    prompt_tokens: count32(charge.promptTokens),
    completion_tokens: count32(charge.completionTokens),
    use_time: count32(charge.useTimeSeconds),
    is_stream: charge.isStream,
    channel_id: charge.channelId,
    token_id: charge.tokenId,
    group: storableText(charge.group, 64),
    other: storableText(charge.other),
    request_id: charge.requestId,
  }
}

/** Maximum length of a free text from a client or upstream. Lists contain many such texts. */
const FREE_TEXT_LENGTH_MAX = 10_000
const TASK_TEXT_MAX: Readonly<Record<string, number>> = {
  prompt: FREE_TEXT_LENGTH_MAX,
  prompt_en: FREE_TEXT_LENGTH_MAX,
  description: FREE_TEXT_LENGTH_MAX,
  state: FREE_TEXT_LENGTH_MAX,
  fail_reason: FREE_TEXT_LENGTH_MAX,
  action: 40,
  mj_id: NAME_LENGTH_MAX,
  status: 20,
  progress: 20,
  bot_type: 40,
  custom_id: NAME_LENGTH_MAX,
  task_id: 50,
  platform: 30,
}

/**
 * Returns the row of a task. Each text is cut to fit its column. A number that does not fit becomes 0. The caller must reject a task id that is too long,
 * because the upstream would not know a cut id.
 */
export function toTaskRow({ row }: Pick<NewTask, 'row'>): SettlementRow {
  const fitted = Object.entries(row).map(([column, value]): [string, string | number] => [
    column,
    typeof value === 'string' ? storableText(value, TASK_TEXT_MAX[column]) : numberFor(column, value),
  ])
  return Object.fromEntries(fitted)
}

/** Returns the whole number to store, or 0 if it does not fit its column. Upstreams choose these codes and times. */
function numberFor(column: string, value: number): number {
  const whole = Math.trunc(value)
  const max = column === 'code' ? INTEGER_MAX : Number.MAX_SAFE_INTEGER
  return Math.abs(whole) <= max ? whole : 0
}

/** Returns the ledger entry that replaces a charge's log row while consumption logging is off. */
export function toEntryRow({ userId, quota, requestId, modelName }: Charge, at: number): EntryRow {
  return {
    user_id: userId,
    kind: 'charge',
    quota: -quota,
    // The balance after each charge is unknown, because many charges share one transaction.
    balance_after: 0,
    actor_id: 0,
    reference: requestId,
    note: storableText(modelName),
    created_at: at,
  }
}
