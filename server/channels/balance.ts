import type { Actor } from '../../core/actor.ts'
import { channelWithKey } from '../../core/channels/keys/key-ring.ts'
import type { LiveChannel } from '../../core/channels/routing/directory.ts'
import type { BalanceSource } from '../../core/channels/types/types.ts'
import { GatewayError } from '../../core/errors.ts'
import { isRecord } from '../../core/records.ts'
import type { LocalToolkit } from '../../core/toolkit.ts'
import { withoutSecrets } from '../relay/providers/failure.ts'
import { joinAddress } from '../relay/providers/openai/address.ts'
import { bearerHeaders, queryUpstream } from './ask.ts'
import type { ProbeGuard } from './guard.ts'

/** Origin of AIProxy's account API. The origin of its model API is different. */
const AI_PROXY = 'https://aiproxy.io'
const DAY_MS = 24 * 3600 * 1000
/** SiliconFlow's code for success, in the body. */
const SILICONFLOW_SUCCESS = 20_000

interface QueryOptions {
  /** Restricts the addresses for an actor who may not query every address. */
  readonly guard?: ProbeGuard | undefined
  readonly signal?: AbortSignal | undefined
}

type BalanceTarget = LiveChannel & QueryOptions

/** Functions that query the balance of an account at each vendor, in the currency of the account. */
const SOURCES: Record<BalanceSource, (channel: BalanceTarget) => Promise<number>> = {
  async openai(channel) {
    const billing = (path: string) => query(channel, joinAddress(apiRoot(channel), `/v1/dashboard/billing/${path}`))
    const account = await billing('subscription')
    const [today, hundredDaysAgo] = [dateOf(Date.now()), dateOf(Date.now() - 100 * DAY_MS)]
    const start = account.has_payment_method === true ? `${today.slice(0, -2)}01` : hundredDaysAgo
    const usage = await billing(`usage?start_date=${start}&end_date=${today}`)
    return numberIn(account, 'hard_limit_usd') - numberIn(usage, 'total_usage') / 100
  },
  async aiproxy(channel) {
    const { baseUrl, type, key } = channel
    const base = baseUrl === type.baseUrl ? AI_PROXY : baseUrl
    const answer = await query(channel, `${base}/api/report/getUserOverview`, { 'api-key': key })
    if (answer.success === false) throw refusalError(answer, channel)
    return numberIn(answer.data, 'totalPoints')
  },
  async api2gpt(channel) {
    return numberIn(await creditGrants(channel), 'total_remaining')
  },
  async aigc2d(channel) {
    return numberIn(await creditGrants(channel), 'total_available')
  },
  async siliconflow(channel) {
    const answer = await query(channel, joinAddress(channel.baseUrl, '/v1/user/info'))
    if (answer.code !== SILICONFLOW_SUCCESS) throw refusalError(answer, channel)
    return numberIn(answer.data, 'totalBalance')
  },
  async deepseek(channel) {
    const { balance_infos } = await query(channel, `${channel.baseUrl}/user/balance`)
    const accounts: unknown[] = Array.isArray(balance_infos) ? balance_infos : []
    const yuanAccount = accounts.find((each) => isRecord(each) && each.currency === 'CNY')
    if (!yuanAccount) throw new GatewayError('UPSTREAM_REFUSED', { reason: 'currency CNY not found' })
    return numberIn(yuanAccount, 'total_balance')
  },
}

function creditGrants(channel: BalanceTarget): Promise<Record<string, unknown>> {
  return query(channel, `${channel.baseUrl}/dashboard/billing/credit_grants`)
}

function query(
  channel: BalanceTarget,
  url: string,
  headers = bearerHeaders(channel.key),
): Promise<Record<string, unknown>> {
  return queryUpstream(url, headers, channel, channel)
}

/**
 * Queries the balance of a channel at the vendor, stores the balance, and returns it. `key` is the digest of one of the
 * channel's keys, which may be disabled. The default is the first usable key. Audits the query before the key is sent.
 * Throws CHANNEL_NOT_FOUND,
 * CHANNEL_KEY_UNKNOWN, CHANNEL_MISCONFIGURED, BALANCE_UNSUPPORTED, UPSTREAM_*.
 */
export async function updateBalance(
  { channels, channelDirectory, audit }: Pick<LocalToolkit, 'channels' | 'channelDirectory' | 'audit'>,
  actor: Actor,
  id: number,
  { key, ...options }: QueryOptions & { key?: string | undefined } = {},
): Promise<number> {
  const { type } = await channels.get(actor, id)
  const live = (await channelDirectory()).find(id)
  const channel = live && key !== undefined ? channelWithKey(live, key) : live
  if (live && !channel) throw new GatewayError('CHANNEL_KEY_UNKNOWN', { id, key })
  if (!channel?.type.balance) throw new GatewayError('BALANCE_UNSUPPORTED', { type })
  await audit.writeAlone(actor, { action: 'channel.balance', object: `channel:${id}` })
  const balance = await SOURCES[channel.type.balance]({ ...channel, ...options })
  await channels.recordBalance(actor, id, balance)
  return balance
}

/** Returns the root URL of a channel's API. The channel's address may be the full URL of an endpoint. */
export function apiRoot({ baseUrl, type }: Pick<LiveChannel, 'baseUrl' | 'type'>): string {
  return type.completeUrl ? baseUrl.replace(/\/v1\/.*$/, '') : baseUrl
}

function dateOf(milliseconds: number): string {
  return new Date(milliseconds).toISOString().slice(0, 10)
}

/** Reads an amount, which vendors send as a number or as a text. */
function numberIn(value: unknown, name: string): number {
  const field = isRecord(value) ? value[name] : undefined
  const number = typeof field === 'string' && field.trim() !== '' ? Number(field) : field
  if (typeof number === 'number' && Number.isFinite(number)) return number
  throw new GatewayError('UPSTREAM_UNREADABLE', { reason: `${name} is not a number` })
}

function refusalError({ code, message }: Record<string, unknown>, channel: LiveChannel): GatewayError {
  const text = `code: ${String(code)}, message: ${String(message)}`.slice(0, 2000)
  return new GatewayError('UPSTREAM_REFUSED', { reason: withoutSecrets(text, channel).slice(0, 300) })
}
