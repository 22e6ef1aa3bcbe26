import { availableParallelism } from 'node:os'
import type { Logger } from 'pino'
import type { NewUser } from '../../core/accounts/accounts.ts'
import type { Channel, NewChannel } from '../../core/channels/channel.ts'
import { type Config, parseConfig, resolveSettings, type SettingName } from '../../core/config.ts'
import { KEY_PREFIX, type NewToken, type Token } from '../../core/tokens/token.ts'
import { type Gateway, startGateway } from '../../server/gateway.ts'
import { type Answer, type Call, post } from './chat.ts'
import { tokenizerOfFile } from './counting.ts'
import { type Exchange, type HandMadeUpstream, startUpstream } from './hand-made-upstream.ts'
import { whenDone } from './lifetime.ts'
import { openTestToolkit, type Person, type TestOptions, type TestToolkit } from './toolkit.ts'

export type Settings = Partial<Record<SettingName, string>>

export interface TestGateway extends TestToolkit {
  gateway: Gateway
  url: string
}

/** A gateway in this process, listening on a port of its own, over a database of its own. */
export async function openTestGateway({
  settings = {},
  config = {},
  logger,
  ...options
}: TestOptions & {
  settings?: Settings
  /** Over the settings: what they cannot say, such as a part of a second. */
  config?: Partial<Config>
  logger?: Logger
} = {}): Promise<TestGateway> {
  const world = await openTestToolkit(options)
  const gateway = await serve(world, { settings, config, ...(logger && { logger }) })
  return { ...world, gateway, url: gateway.url }
}

/** A gateway in this process, over what a test has opened already. */
export async function serve(
  world: TestToolkit,
  { settings = {}, config = {}, logger }: { settings?: Settings; config?: Partial<Config>; logger?: Logger } = {},
): Promise<Gateway> {
  await world.toolkit.events.follow()
  const tokenizer = tokenizerOfFile()
  const gateway = await startGateway({
    config: { ...testConfig(world, settings), ...config },
    toolkit: world.toolkit,
    ...(logger && { logger }),
    ...(tokenizer && { tokenizer }),
  })
  whenDone(() => gateway.close())
  return gateway
}

function testConfig({ config }: TestToolkit, settings: Settings): Config {
  const flags = {
    PORT: '0',
    HOST: '127.0.0.1',
    LOG_LEVEL: 'silent',
    STOP_GRACE: '0',
    // Tasks that a test writes have no upstream that could be asked, and would fail when their turn comes.
    UPDATE_TASK: 'false',
    // A test calls more in a second than a person in minutes.
    GLOBAL_API_RATE_LIMIT_ENABLE: 'false',
    GLOBAL_WEB_RATE_LIMIT_ENABLE: 'false',
    CRITICAL_RATE_LIMIT_ENABLE: 'false',
    DATABASE_URL: config.databaseUrl,
    ...settings,
  }
  return parseConfig(resolveSettings({ flags, environment: {}, file: {} }), availableParallelism())
}

export const MODEL = 'test-model'
/** Quota for a prompt token, and prompt tokens for a completion token: primes, so that no wrong sum looks right. */
export const PRICE = { modelRatio: 3, completionRatio: 7 } as const

/** The longest reply of the test model, which shows all that it charges for. */
export const OUTPUT_TOKENS_MAX = 4096

/** What a relay of the test model costs. */
export const priceOf = (promptTokens: number, completionTokens: number): number =>
  PRICE.modelRatio * (promptTokens + PRICE.completionRatio * completionTokens)

/** Makes `MODEL` cost `PRICE`, and nothing else have a price unless told so. */
export async function setPrices({ toolkit, root }: TestToolkit, ratios: Record<string, number> = {}): Promise<void> {
  await toolkit.options.set(root, 'ModelRatio', JSON.stringify({ [MODEL]: PRICE.modelRatio, ...ratios }))
  await toolkit.options.set(root, 'CompletionRatio', JSON.stringify({ [MODEL]: PRICE.completionRatio }))
  // Small beside the balance: no limit needs to be sent.
  await toolkit.options.set(root, 'OutputTokensMax', JSON.stringify({ [MODEL]: OUTPUT_TOKENS_MAX }))
  await toolkit.options.set(root, 'PlainModels', MODEL)
}

export const keyOf = ({ key }: Token): string => KEY_PREFIX + key

export interface Customer {
  person: Person
  key: string
  /** The token whose key it is. */
  bought: Token
}

/** A user with a balance, and a key. */
export async function customer(
  world: TestToolkit,
  { user, token }: { user?: Partial<NewUser>; token?: Partial<NewToken> } = {},
): Promise<Customer> {
  const person = await world.user({ quota: BALANCE, ...user })
  const created = await world.token(person, token)
  return { person, key: keyOf(created), bought: created }
}
export const BALANCE = 1_000_000

export interface TestRelay extends TestGateway, Customer {
  upstream: HandMadeUpstream
  servedBy: Channel
  /** Sends a chat request with the customer's key. */
  chat(body: unknown, call?: Partial<Call>): Promise<Answer>
}

export interface RelayOptions {
  settings?: Settings
  user?: Partial<NewUser>
  token?: Partial<NewToken>
  channel?: Partial<NewChannel>
  /** How it gets its gateway. */
  gateway?: (options: { settings: Settings }) => Promise<TestGateway>
}

/** A gateway with one customer, one priced model, and one channel to an upstream that answers as told. */
export async function openTestRelay(
  answer: (exchange: Exchange) => unknown,
  { settings = {}, user = {}, token = {}, channel = {}, gateway = openTestGateway }: RelayOptions = {},
): Promise<TestRelay> {
  const upstream = await startUpstream(answer)
  const world = await gateway({ settings })
  await setPrices(world)
  const servedBy = await world.channel({ base_url: upstream.url, models: MODEL, key: CHANNEL_KEY, ...channel })
  const buyer = await customer(world, { user, token })
  const chat = (body: unknown, call: Partial<Call> = {}) => post({ url: world.url, key: buyer.key, body, ...call })
  return { ...world, ...buyer, upstream, servedBy, chat }
}
export const CHANNEL_KEY = 'sk-upstream-0123456789abcdef'
