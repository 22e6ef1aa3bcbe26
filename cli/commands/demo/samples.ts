import { type Actor, GATEWAY } from '../../../core/actor.ts'
import type { Channel } from '../../../core/channels/channel.ts'
import type { Config } from '../../../core/config.ts'
import { receiptFields } from '../../../core/logs/receipt.ts'
import { OPTIONS } from '../../../core/options/registry.ts'
import { chargeQuota, holdQuota, type Usage } from '../../../core/pricing/prices.ts'
import { randomHex } from '../../../core/secrets.ts'
import type { LiveToken, LiveUser } from '../../../core/tokens/directory.ts'
import { KEY_PREFIX } from '../../../core/tokens/token.ts'
import { type LocalToolkit, openToolkit } from '../../../core/toolkit.ts'
import { generatePassword } from '../../root-user.ts'

/** Credentials and names to print for the user. */
export interface Samples {
  password: string
  users: string[]
  key: string
  model: string
}

const DAY_S = 86_400
const DAYS = 4
const RELAYS = 200
const SIMULATED_RATIO = 0.5
const GROUP = 'default'
/** Value of a log row whose time to the first token was not measured. */
const NOT_MEASURED = -1000

const MODELS = [
  { model: 'gpt-4o-mini', weight: 0.5, promptTokens: 900, completionTokens: 250, secondsPerToken: 0.012 },
  { model: 'gpt-4o', weight: 0.25, promptTokens: 1400, completionTokens: 400, secondsPerToken: 0.018 },
  { model: 'o3-mini', weight: 0.1, promptTokens: 700, completionTokens: 1500, secondsPerToken: 0.01 },
  { model: 'text-embedding-3-small', weight: 0.1, promptTokens: 2500, completionTokens: 0, secondsPerToken: 0 },
  { model: 'sim-chat', weight: 0.05, promptTokens: 60, completionTokens: 80, secondsPerToken: 0.016 },
] as const
type SampleModel = (typeof MODELS)[number]

const CUSTOMERS = [
  { username: 'alice', display_name: 'Alice', quota: 10_000_000, weight: 0.55, tokens: ['web-app', 'notebook'] },
  { username: 'bob', display_name: 'Bob', quota: 5_000_000, weight: 0.35, tokens: ['support-bot'] },
  { username: 'carol', display_name: 'Carol', quota: 1_000_000, weight: 0.1, tokens: ['experiments'] },
] as const

interface Caller {
  user: LiveUser
  token: LiveToken
}

/** A sample key. `weight`: the fraction of all requests that use this key. */
interface Customer {
  weight: number
  caller: Caller
}

/** Fills a new database with sample data by normal operations with a simulated clock, so the ledger is correct. */
export async function writeSamples(config: Config, upstreamUrl: string): Promise<Samples> {
  const end = Math.floor(Date.now() / 1000)
  let clock = end - DAYS * DAY_S
  const toolkit = await openToolkit(config, { now: () => clock })
  try {
    const password = generatePassword()
    const root = await toolkit.accounts.createRoot(password)
    if (!root) throw new Error('the database of a demonstration is new')
    const actor: Actor = { id: root.id, role: root.role }
    await toolkit.options.set(actor, 'ModelRatio', await ratios(toolkit))
    const channel = await toolkit.channels.create(actor, {
      name: 'simulated',
      type: 1,
      key: 'simulated-key',
      base_url: upstreamUrl,
      models: [...MODELS.map(({ model }) => model), 'sim-embedding', 'sim-slow', 'sim-fail'].join(','),
    })
    const customers = await createCustomers(toolkit, actor, password)
    const { key } = await toolkit.tokens.create(actor, { name: 'demo', unlimited_quota: true })
    for (const at of randomTimes({ start: clock + 3600, end: end - 60, count: RELAYS })) {
      clock = at
      await relay(toolkit, { caller: randomItem(customers).caller, channel, sample: randomItem(MODELS) })
    }
    return { password, users: CUSTOMERS.map(({ username }) => username), key: KEY_PREFIX + key, model: MODELS[0].model }
  } finally {
    await toolkit.close()
  }
}

async function ratios({ options }: LocalToolkit): Promise<string> {
  const simulated = ['sim-chat', 'sim-embedding', 'sim-slow', 'sim-fail'].map((model) => [model, SIMULATED_RATIO])
  return JSON.stringify({ ...options.get(OPTIONS.ModelRatio), ...Object.fromEntries(simulated) })
}

async function createCustomers(toolkit: LocalToolkit, actor: Actor, password: string): Promise<Customer[]> {
  const customers: Customer[] = []
  for (const { username, display_name, quota, weight, tokens } of CUSTOMERS) {
    const created = await toolkit.accounts.create(actor, { username, display_name, password, quota })
    const user = await toolkit.callers.findUser(created.id)
    for (const name of tokens) {
      const { key } = await toolkit.tokens.create(created, { name, unlimited_quota: true })
      const token = await toolkit.callers.findToken(key)
      if (!user || !token) throw new Error('a user or token that was just made is not there')
      customers.push({ weight: weight / tokens.length, caller: { user, token } })
    }
  }
  const [code] = await toolkit.redemption.create(GATEWAY, { name: 'welcome', quota: 500_000, count: 3 })
  const [first] = customers
  if (code && first) await toolkit.redemption.redeem(first.caller.user, code)
  return customers
}

async function relay(
  { ledger, pricing }: LocalToolkit,
  { caller, channel, sample }: { caller: Caller; channel: Channel; sample: SampleModel },
): Promise<void> {
  const { model, secondsPerToken } = sample
  const price = await pricing.find({ model, group: GROUP })
  if (!price) throw new Error(`the sample model ${model} has no price`)
  const usage = randomUsage(sample)
  const isStream = usage.completionTokens > 0 && Math.random() < 0.7
  const hold = await ledger.hold({ userId: caller.user.id, budgetTokenId: 0, quota: holdQuota(price, usage) })
  const { user, token } = caller
  await ledger.settle(hold, {
    requestId: `demo${randomHex(26)}`,
    userId: user.id,
    username: user.username,
    tokenId: token.id,
    tokenName: token.name,
    channelId: channel.id,
    modelName: model,
    group: GROUP,
    promptTokens: usage.promptTokens,
    completionTokens: usage.completionTokens,
    quota: chargeQuota(price, usage),
    useTimeSeconds: Math.round(0.4 + usage.completionTokens * secondsPerToken),
    isStream,
    content: '',
    other: JSON.stringify({
      ...receiptFields(price, usage),
      frt: isStream ? Math.round(250 + Math.random() * 600) : NOT_MEASURED,
      admin_info: { use_channel: [String(channel.id)] },
    }),
  })
}

function randomUsage({ promptTokens, completionTokens }: SampleModel): Usage {
  const prompt = randomNear(promptTokens)
  return {
    promptTokens: prompt,
    completionTokens: randomNear(completionTokens),
    cachedTokens: prompt > 1024 && Math.random() < 0.3 ? 1024 : 0,
    cacheWriteTokens: 0,
    cacheWriteHourTokens: 0,
    audioPromptTokens: 0,
    audioCompletionTokens: 0,
    reasoningTokens: 0,
  }
}

/** Returns a random number between a third and three times `middle`. Numbers near `middle` are more frequent. */
function randomNear(middle: number): number {
  return Math.round(middle * 3 ** (Math.random() + Math.random() - 1))
}

/** Returns sorted random times. Times in working hours are more frequent. */
function randomTimes({ start, end, count }: { start: number; end: number; count: number }): number[] {
  const times: number[] = []
  while (times.length < count) {
    const time = Math.floor(start + Math.random() * (end - start))
    const hour = new Date(time * 1000).getHours()
    if (Math.random() < (hour >= 8 && hour < 20 ? 1 : 0.2)) times.push(time)
  }
  return times.sort((a, b) => a - b)
}

/** Returns a random item. The probability of an item is proportional to its `weight`. */
function randomItem<T extends { weight: number }>(from: readonly T[]): T {
  let left = Math.random() * from.reduce((sum, { weight }) => sum + weight, 0)
  const match = from.find(({ weight }) => {
    left -= weight
    return left <= 0
  })
  const chosen = match ?? from[0]
  if (!chosen) throw new Error('nothing to choose from')
  return chosen
}
