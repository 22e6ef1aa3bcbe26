import { availableParallelism } from 'node:os'
import type { Logger } from 'pino'
import type { NewUser } from '../../core/accounts/accounts.ts'
import type { Channel, NewChannel } from '../../core/channels/channel.ts'
import { type Config, parseConfig, resolveSettings, type SettingName } from '../../core/config.ts'
import { KEY_PREFIX, type NewToken, type Token } from '../../core/tokens/token.ts'
import { loadConsole } from '../../server/console.ts'
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

/** Opens a gateway in this process with its own port and database. */
export async function openTestGateway({
  settings = {},
  config = {},
  logger,
  ...options
}: TestOptions & {
  settings?: Settings
  /** Overrides for values that settings cannot express, such as fractions of a second. */
  config?: Partial<Config>
  logger?: Logger
} = {}): Promise<TestGateway> {
  const fixture = await openTestToolkit(options)
  const gateway = await serve(fixture, { settings, config, ...(logger && { logger }) })
  return { ...fixture, gateway, url: gateway.url }
}

/** Starts a gateway in this process over a toolkit that a test has opened. */
export async function serve(
  fixture: TestToolkit,
  { settings = {}, config = {}, logger }: { settings?: Settings; config?: Partial<Config>; logger?: Logger } = {},
): Promise<Gateway> {
  await fixture.toolkit.events.follow()
  consoleFiles ??= loadConsole()
  const gateway = await startGateway({
    config: { ...testConfig(fixture, settings), ...config },
    toolkit: fixture.toolkit,
    ...(logger && { logger }),
    tokenizer: tokenizerOfFile(),
    consoleFiles,
  })
  whenDone(() => gateway.close())
  return gateway
}

/** The built console, read once per worker: reading its files takes a tenth of a gateway's start. */
let consoleFiles: ReturnType<typeof loadConsole>

function testConfig({ config }: TestToolkit, settings: Settings): Config {
  const flags = {
    PORT: '0',
    HOST: '127.0.0.1',
    LOG_LEVEL: 'silent',
    STOP_GRACE: '0',
    // Tasks created by tests have no upstream to poll, and would fail.
    UPDATE_TASK: 'false',
    // A test sends more calls per second than a user per minute.
    GLOBAL_API_RATE_LIMIT_ENABLE: 'false',
    GLOBAL_WEB_RATE_LIMIT_ENABLE: 'false',
    CRITICAL_RATE_LIMIT_ENABLE: 'false',
    DATABASE_URL: config.databaseUrl,
    ...settings,
  }
  const parsed = parseConfig(resolveSettings({ flags, environment: {}, file: {} }), availableParallelism())
  return { ...parsed, unreachableReplyMs: UNREACHABLE_REPLY_MS }
}

/** Shorter than in production, because no test guesses ports of a network. */
const UNREACHABLE_REPLY_MS = 700

export const MODEL = 'test-model'
/** Quota per prompt token, and prompt tokens per completion token: primes, so that wrong sums do not look right. */
export const PRICE = { modelRatio: 3, completionRatio: 7 } as const

/** The output limit of the test model, whose replies show all the tokens that it charges. */
export const OUTPUT_TOKENS_MAX = 4096

/** Returns the price of a relay with the test model. */
export const priceOf = (promptTokens: number, completionTokens: number): number =>
  PRICE.modelRatio * (promptTokens + PRICE.completionRatio * completionTokens)

/** Prices `MODEL` at `PRICE`, and other models only as given in `ratios`. */
export async function setPrices({ toolkit, root }: TestToolkit, ratios: Record<string, number> = {}): Promise<void> {
  await toolkit.options.set(root, 'ModelRatio', JSON.stringify({ [MODEL]: PRICE.modelRatio, ...ratios }))
  await toolkit.options.set(root, 'CompletionRatio', JSON.stringify({ [MODEL]: PRICE.completionRatio }))
  // Small relative to the balance, so that the gateway need not send a limit.
  await toolkit.options.set(root, 'OutputTokensMax', JSON.stringify({ [MODEL]: OUTPUT_TOKENS_MAX }))
  await toolkit.options.set(root, 'PlainModels', MODEL)
}

export const keyOf = ({ key }: Token): string => KEY_PREFIX + key

export interface Customer {
  person: Person
  key: string
  /** The token with that key. */
  bought: Token
}

/** Creates a user with a balance and a key. */
export async function customer(
  fixture: TestToolkit,
  { user, token }: { user?: Partial<NewUser>; token?: Partial<NewToken> } = {},
): Promise<Customer> {
  const person = await fixture.user({ quota: BALANCE, ...user })
  const created = await fixture.token(person, token)
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
  /** Opens the gateway. */
  gateway?: (options: { settings: Settings }) => Promise<TestGateway>
}

/** Opens a gateway with one customer, one priced model, and one channel to an upstream that replies with `answer`. */
export async function openTestRelay(
  answer: (exchange: Exchange) => unknown,
  { settings = {}, user = {}, token = {}, channel = {}, gateway = openTestGateway }: RelayOptions = {},
): Promise<TestRelay> {
  const upstream = await startUpstream(answer)
  const fixture = await gateway({ settings })
  await setPrices(fixture)
  const servedBy = await fixture.channel({ base_url: upstream.url, models: MODEL, key: CHANNEL_KEY, ...channel })
  const buyer = await customer(fixture, { user, token })
  const chat = (body: unknown, call: Partial<Call> = {}) => post({ url: fixture.url, key: buyer.key, body, ...call })
  return { ...fixture, ...buyer, upstream, servedBy, chat }
}
export const CHANNEL_KEY = 'sk-upstream-0123456789abcdef'
