import { readdir } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { REDEMPTION_STATUS } from '../../../../core/redemption/status.ts'
import type { TestToolkit } from '../../toolkit.ts'
import { CODE_QUOTA, type Customer, type Customers, PRICES, type Seen } from './customers.ts'

const LOOK_MS = 250

interface Row {
  request_id: string
  user_id: number
  token_id: number
  channel_id: number
  model_name: string
  quota: number
  /** The part of a charge that the balance did not cover, because the charge's epoch had ended. */
  uncovered: number
}

/** Waits until nothing is held, reserved or in a journal. Returns the remainder after `timeoutMs`. */
export async function untilQuiet(
  { toolkit }: Pick<TestToolkit, 'toolkit'>,
  { journalFolder, timeoutMs }: { journalFolder: string; timeoutMs: number },
): Promise<string[]> {
  const { reader } = toolkit.db
  const deadline = Date.now() + timeoutMs
  for (;;) {
    const [users] = await reader('users').sum({ held: 'held_quota' })
    const [tokens] = await reader('tokens').sum({ held: 'held_quota' })
    const holds = await reader('holds').where('quota', '>', 0).select('*')
    const journals = await readdir(journalFolder).catch(() => [])
    const left = [
      ...(Number(users?.held) || Number(tokens?.held) ? [`held: users ${users?.held}, tokens ${tokens?.held}`] : []),
      ...holds.map((hold) => `a reserve: ${JSON.stringify(hold)}`),
      ...journals.map((name) => `a journal: ${name}`),
    ]
    if (left.length === 0) return []
    if (Date.now() > deadline) return left
    await sleep(LOOK_MS)
  }
}

/** Compares the clients' replies with the ledger, to the unit. Returns each difference as a sentence. */
export async function compareWithLedger(
  { toolkit }: Pick<TestToolkit, 'toolkit'>,
  { customers, seen, codes }: Pick<Customers, 'customers' | 'seen' | 'codes'>,
) {
  const { reader } = toolkit.db
  const problems: string[] = []
  const check = (isRight: boolean, problem: () => string) => void (isRight || problems.push(problem()))
  const rows: Row[] = (
    await reader('logs')
      .whereNotNull('request_id')
      .select('request_id', 'user_id', 'token_id', 'channel_id', 'model_name', 'quota', 'other')
  ).map(({ other, ...row }) => ({ ...row, quota: Number(row.quota), uncovered: JSON.parse(other).uncovered ?? 0 }))
  const charges = new Map(rows.map((row) => [row.request_id, row]))
  check(charges.size === rows.length, () => `${rows.length - charges.size} request ids were charged twice`)

  for (const one of seen) checkReply(one, charges.get(one.requestId), check)
  checkUnseen(rows, seen, check)

  const used = new Set<string>(await reader('redemptions').where({ status: REDEMPTION_STATUS.used }).pluck('key'))
  for (const code of codes.filter(({ isConfirmed }) => isConfirmed)) {
    check(used.has(code.key), () => `code ${code.key} was redeemed for the client, and is unused`)
  }
  for (const each of customers) {
    const gained = codes.filter(({ key, customer }) => customer === each && used.has(key)).length * CODE_QUOTA
    await checkCustomer(each, gained)
  }
  const spent = sum(rows)
  const channels = await reader('channels').sum({ used: 'used_quota' })
  check(Number(channels[0]?.used) === spent, () => `channels have used ${channels[0]?.used}, charges are ${spent}`)
  const hours = await reader('quota_data').sum({ quota: 'quota', count: 'count' })
  check(
    Number(hours[0]?.quota) === spent && Number(hours[0]?.count) === rows.length,
    () => `the dashboard counts ${JSON.stringify(hours[0])}, charges are ${spent} in ${rows.length} rows`,
  )
  const { equal, differences } = await toolkit.ledger.verify()
  check(equal, () => `ledger verify: ${JSON.stringify(differences)}`)
  const uncovered = seen.filter(({ end, requestId }) => end === 'whole' && charges.get(requestId)?.uncovered).length
  return { problems, charges: rows.length, uncovered }

  async function checkCustomer({ person, tokenId, quota, budget }: Customer, gained: number): Promise<void> {
    const ownRows = rows.filter(({ user_id }) => user_id === person.id)
    const total = sum(ownRows)
    const user = await reader('users')
      .where({ id: person.id })
      .first('quota', 'held_quota', 'used_quota', 'request_count')
    const expected = { quota: quota + gained - total, held_quota: 0, used_quota: total, request_count: ownRows.length }
    checkSame(`user ${person.id}`, user, expected)
    check(user.quota >= 0, () => `user ${person.id} has a balance of ${user.quota}`)
    const token = await reader('tokens').where({ id: tokenId }).first('remain_quota', 'held_quota', 'used_quota')
    checkSame(`token ${tokenId}`, token, {
      remain_quota: budget === undefined ? token.remain_quota : budget - total,
      held_quota: 0,
      used_quota: total,
    })
    if (budget !== undefined)
      check(token.remain_quota >= 0, () => `token ${tokenId} has a budget of ${token.remain_quota}`)
  }

  function checkSame(name: string, row: Record<string, unknown>, expected: Record<string, number>): void {
    for (const [column, value] of Object.entries(expected)) {
      check(Number(row[column]) === value, () => `${name}: ${column} is ${row[column]}, and should be ${value}`)
    }
  }
}

type Check = (isRight: boolean, problem: () => string) => void

function checkReply(one: Seen, row: Row | undefined, check: Check): void {
  const { customer, model, end, status, requestId } = one
  const price = PRICES[model] ?? 0
  const name = () => `the ${end} reply ${requestId} of user ${customer.person.id} (${model})`
  if (row) check(row.user_id === customer.person.id, () => `${name()} was charged to user ${row.user_id}`)
  const isLimited = customer.isScarce || (customer.budget ?? price) < 1e6
  switch (end) {
    case 'whole':
      check(row !== undefined, () => `${name()} was not charged`)
      if (!row) return
      // A balance covers less than the price only if other requests have spent it meanwhile.
      check(row.quota + row.uncovered === price, () => `${name()} was charged ${row.quota} instead of ${price}`)
      check(row.uncovered === 0 || isLimited, () => `${name()} was not covered though its balance is ample`)
      return
    case 'short':
      check(row !== undefined && row.quota <= price, () => `${name()} was charged ${row?.quota}`)
      check(isLimited, () => `${name()} ran out of an ample balance`)
      return
    case 'broken':
      check(row === undefined || row.quota <= price, () => `${name()} was charged ${row?.quota}`)
      return
    case 'rejected':
      check(row === undefined, () => `${name()} was charged ${row?.quota}`)
      // A process that was stopped for long rejects unread requests (408) before assigning a request id.
      check(
        status === 408 || (status !== 500 && requestId !== ''),
        () => `${name()} was rejected with ${status}: ${one.text}`,
      )
      return
    case 'silent':
      return
  }
}

/** Charges with a request id unknown to all clients must belong to requests without a reply: a client disconnected or a process died. */
function checkUnseen(rows: readonly Row[], seen: readonly Seen[], check: Check): void {
  const known = new Set(seen.map(({ requestId }) => requestId))
  const silent = new Map<string, number>()
  for (const { end, customer, model } of seen) {
    const key = `${customer.person.id} ${model}`
    if (end === 'silent') silent.set(key, (silent.get(key) ?? 0) + 1)
  }
  for (const row of rows.filter(({ request_id }) => !known.has(request_id))) {
    const key = `${row.user_id} ${row.model_name}`
    const left = silent.get(key) ?? 0
    silent.set(key, left - 1)
    check(left > 0, () => `charge ${row.request_id} of user ${row.user_id} belongs to no request of a client`)
    check(row.quota <= (PRICES[row.model_name] ?? 0), () => `charge ${row.request_id} is ${row.quota}`)
  }
}

const sum = (rows: readonly Pick<Row, 'quota'>[]): number => rows.reduce((total, { quota }) => total + quota, 0)
