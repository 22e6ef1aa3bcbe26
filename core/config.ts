import type { AllowedHost } from './allowed-hosts.ts'
import { keysOf } from './records.ts'
import {
  allowedHosts,
  anyText,
  databaseUrl,
  headerPairs,
  listenHost,
  logLevel,
  minutesOrOff,
  oneOfOrEmpty,
  pairs,
  rootPassword,
  secondsOrOff,
  secret,
  trueOrFalse,
  trustProxy,
  webAddress,
  webAddressOrEmpty,
  wholeNumberSetting,
  workers,
} from './setting-parsers.ts'

/** The program's settings, which are read once at the start. Options can be changed at run time instead. */
export interface Config {
  port: number
  host: string
  databaseUrl: string
  /** The master key. Undefined if the key is in a file in `dataFolder`. */
  secret: string | undefined
  /** The folder for the master key's file and the journals. */
  dataFolder: string
  /** Number of processes. */
  workers: number
  logLevel: string
  /** Maximum time without an upstream byte, after which an attempt ends. */
  relayTimeoutMs: number
  /** Maximum time until the first token of an attempt. 0 means unlimited. */
  firstTokenTimeoutMs: number
  /** Maximum time without an event, after which a websocket is closed. */
  websocketIdleMs: number
  /** Time for which running streams may continue after the gateway receives the signal to stop. */
  stopGraceMs: number
  /** Maximum size of a request body, in bytes. */
  bodyMax: number
  /** Maximum number of objects and lists in the JSON of a relay request. */
  bodyItemsMax: number
  /** Maximum size of a multipart body, in bytes. */
  uploadMax: number
  /** Maximum bytes of request bodies that a process receives at once: in total, from one address, and from one user. */
  bodyLimits: { inAll: number; ofAddress: number; ofUser: number }
  /** The proxies whose X-Forwarded-For header is trusted: false (none), true (all), or addresses and ranges. */
  trustProxy: boolean | string[]
  rootPassword: string | undefined
  /** Maximum request rate of each class per address. Undefined means unlimited. */
  rateLimits: Record<RateClass, RateLimit | undefined>
  /** URLs of services, without a trailing slash. Tests and enterprises can use their own servers. */
  services: { github: string; githubApi: string; linuxdo: string; turnstile: string }
  /** Intervals of tests and balance queries of all channels (0: only on request), and the pause between channels. */
  channelJobs: { testEveryMs: number; balanceEveryMs: number; pauseMs: number }
  /** Whether this process may poll upstreams for unfinished tasks. See `UPDATE_TASK` in docs/configuration.md. */
  pollsTasks: boolean
  /** Whether a newly registered user gets a first API key. */
  generateDefaultToken: boolean
  /** For files that requests reference by URL: the maximum size, and the non-public hosts that are allowed. */
  media: { bytesMax: number; allowHosts: readonly AllowedHost[] }
  /**
   * Time after which an administrator gets the error that an upstream is unreachable. This time is fixed, so that it
   * does not reveal whether a port is closed or filtered.
   */
  unreachableReplyMs: number
  /** The OTLP/HTTP target of traces and metrics. Undefined if disabled. */
  otlp: { endpoint: string; headers: Record<string, string>; serviceName: string } | undefined
  /** Settings of all channels of Gemini and Vertex AI. */
  gemini: { safety: string | undefined; imagesMax: number; versions: Readonly<Record<string, string>> }
}

/** `api`: the management API. `web`: pages and unknown paths. `critical`: sign-in, registration and mails. */
export type RateClass = 'api' | 'web' | 'critical'
/** Maximum number of requests per address in a number of seconds. */
interface RateLimit {
  max: number
  seconds: number
}

type Source = Record<string, string | undefined>
type Setting<T> = { default: string; secret?: true; parse: (name: string, text: string) => T }

export const DEFAULT_DATABASE_URL = 'sqlite:./data/tollgate.db'

/** All settings by environment variable, with their defaults. In tollgate.yaml, the names are in lower case. */
export const SETTINGS = {
  PORT: { default: '3000', parse: wholeNumberSetting(0, 65_535) },
  HOST: { default: '0.0.0.0', parse: listenHost },
  DATABASE_URL: { default: DEFAULT_DATABASE_URL, parse: databaseUrl },
  TOLLGATE_SECRET: { default: '', secret: true, parse: secret },
  WORKERS: { default: '1', parse: workers },
  LOG_LEVEL: { default: 'info', parse: logLevel },
  RELAY_TIMEOUT: { default: '300', parse: wholeNumberSetting(1, 86_400) },
  FIRST_TOKEN_TIMEOUT: { default: 'off', parse: secondsOrOff },
  WEBSOCKET_IDLE: { default: '600', parse: wholeNumberSetting(1, 86_400) },
  STOP_GRACE: { default: '30', parse: wholeNumberSetting(0, 3600) },
  BODY_MAX_MB: { default: '16', parse: wholeNumberSetting(1, 1024) },
  BODY_ITEMS_MAX: { default: '10000', parse: wholeNumberSetting(100, 10_000_000) },
  UPLOAD_MAX_MB: { default: '100', parse: wholeNumberSetting(1, 10_240) },
  BODIES_MAX_MB: { default: '256', parse: wholeNumberSetting(1, 65_536) },
  BODIES_ADDRESS_MAX_MB: { default: '64', parse: wholeNumberSetting(1, 65_536) },
  BODIES_USER_MAX_MB: { default: '24', parse: wholeNumberSetting(1, 65_536) },
  TRUST_PROXY: { default: 'off', parse: trustProxy },
  ROOT_PASSWORD: { default: '', secret: true, parse: rootPassword },
  GLOBAL_API_RATE_LIMIT_ENABLE: { default: 'true', parse: trueOrFalse },
  GLOBAL_API_RATE_LIMIT: { default: '180', parse: wholeNumberSetting(1, 1e9) },
  GLOBAL_API_RATE_LIMIT_DURATION: { default: '180', parse: wholeNumberSetting(1, 86_400) },
  GLOBAL_WEB_RATE_LIMIT_ENABLE: { default: 'true', parse: trueOrFalse },
  GLOBAL_WEB_RATE_LIMIT: { default: '60', parse: wholeNumberSetting(1, 1e9) },
  GLOBAL_WEB_RATE_LIMIT_DURATION: { default: '180', parse: wholeNumberSetting(1, 86_400) },
  CRITICAL_RATE_LIMIT_ENABLE: { default: 'true', parse: trueOrFalse },
  CRITICAL_RATE_LIMIT: { default: '20', parse: wholeNumberSetting(1, 1e9) },
  CRITICAL_RATE_LIMIT_DURATION: { default: '1200', parse: wholeNumberSetting(1, 86_400) },
  GITHUB_URL: { default: 'https://github.com', parse: webAddress },
  GITHUB_API_URL: { default: 'https://api.github.com', parse: webAddress },
  LINUXDO_URL: { default: 'https://connect.linux.do', parse: webAddress },
  TURNSTILE_URL: {
    default: 'https://challenges.cloudflare.com',
    parse: webAddress,
  },
  CHANNEL_TEST_FREQUENCY: { default: 'off', parse: minutesOrOff },
  CHANNEL_UPDATE_FREQUENCY: { default: 'off', parse: minutesOrOff },
  POLLING_INTERVAL: { default: '0', parse: wholeNumberSetting(0, 3600) },
  UPDATE_TASK: { default: 'true', parse: trueOrFalse },
  GENERATE_DEFAULT_TOKEN: { default: 'false', parse: trueOrFalse },
  MAX_FILE_DOWNLOAD_MB: { default: '20', parse: wholeNumberSetting(1, 1024) },
  MEDIA_ALLOW_HOSTS: { default: '', parse: allowedHosts },
  GEMINI_SAFETY_SETTING: {
    default: '',
    parse: oneOfOrEmpty(['OFF', 'BLOCK_NONE', 'BLOCK_ONLY_HIGH', 'BLOCK_MEDIUM_AND_ABOVE', 'BLOCK_LOW_AND_ABOVE']),
  },
  GEMINI_VISION_MAX_IMAGE_NUM: { default: '16', parse: wholeNumberSetting(-1, 10_000) },
  OTEL_EXPORTER_OTLP_ENDPOINT: { default: '', parse: webAddressOrEmpty },
  OTEL_EXPORTER_OTLP_HEADERS: { default: '', secret: true, parse: headerPairs },
  OTEL_SERVICE_NAME: { default: 'tollgate', parse: anyText },
  GEMINI_MODEL_MAP: { default: 'gemini-1.0-pro:v1', parse: pairs },
} as const satisfies Record<string, Setting<unknown>>

export type SettingName = keyof typeof SETTINGS
type SettingValues = { [N in SettingName]: ReturnType<(typeof SETTINGS)[N]['parse']> }
export interface SettingOrigin {
  name: SettingName
  value: string
  origin: 'flag' | 'environment' | 'file' | 'default'
  secret: boolean
}

/** Returns all settings with their origin. Precedence: flags, environment, file, defaults. Ignores empty texts. */
export function resolveSettings(sources: { flags: Source; environment: Source; file: Source }): SettingOrigin[] {
  const { flags, environment, file } = sources
  return keysOf(SETTINGS).map((name) => {
    const match = (
      [
        ['flag', flags[name]],
        ['environment', environment[name]],
        ['file', file[name.toLowerCase()] ?? file[name]],
      ] as const
    ).find(([, value]) => value !== undefined && value !== '')
    const setting: Setting<unknown> = SETTINGS[name]
    return {
      name,
      value: match?.[1] ?? setting.default,
      origin: match?.[0] ?? 'default',
      secret: setting.secret === true,
    }
  })
}

/** Parses all settings. `cores`: the number of CPU cores. Throws CONFIG_INVALID with the name of the setting. */
export function parseConfig(settings: readonly SettingOrigin[], cores: number): Config {
  const text = (name: SettingName) => settings.find((setting) => setting.name === name)?.value ?? SETTINGS[name].default
  const settingsByName: { readonly [N in SettingName]: Setting<SettingValues[N]> } = SETTINGS
  const read = <N extends SettingName>(name: N): SettingValues[N] => settingsByName[name].parse(name, text(name))
  const rateLimit = (name: 'GLOBAL_API' | 'GLOBAL_WEB' | 'CRITICAL'): RateLimit | undefined =>
    read(`${name}_RATE_LIMIT_ENABLE`)
      ? { max: read(`${name}_RATE_LIMIT`), seconds: read(`${name}_RATE_LIMIT_DURATION`) }
      : undefined
  const databaseUrl = read('DATABASE_URL')
  const otlp = {
    endpoint: read('OTEL_EXPORTER_OTLP_ENDPOINT'),
    headers: read('OTEL_EXPORTER_OTLP_HEADERS'),
    serviceName: read('OTEL_SERVICE_NAME'),
  }
  return {
    port: read('PORT'),
    host: read('HOST'),
    databaseUrl,
    secret: read('TOLLGATE_SECRET') || undefined,
    dataFolder: databaseUrl.startsWith('sqlite:') ? folderOf(databaseUrl.slice('sqlite:'.length)) : './data',
    workers: read('WORKERS') || cores,
    logLevel: read('LOG_LEVEL'),
    relayTimeoutMs: read('RELAY_TIMEOUT') * 1000,
    firstTokenTimeoutMs: read('FIRST_TOKEN_TIMEOUT') * 1000,
    websocketIdleMs: read('WEBSOCKET_IDLE') * 1000,
    stopGraceMs: read('STOP_GRACE') * 1000,
    bodyMax: read('BODY_MAX_MB') * 1024 * 1024,
    bodyItemsMax: read('BODY_ITEMS_MAX'),
    uploadMax: read('UPLOAD_MAX_MB') * 1024 * 1024,
    // Each limit must allow one body of the maximum size.
    bodyLimits: {
      inAll: Math.max(read('BODIES_MAX_MB'), read('BODY_MAX_MB')) * 1024 * 1024,
      ofAddress: Math.max(read('BODIES_ADDRESS_MAX_MB'), read('BODY_MAX_MB')) * 1024 * 1024,
      ofUser: Math.max(read('BODIES_USER_MAX_MB'), read('BODY_MAX_MB')) * 1024 * 1024,
    },
    trustProxy: read('TRUST_PROXY'),
    rootPassword: read('ROOT_PASSWORD') || undefined,
    rateLimits: { api: rateLimit('GLOBAL_API'), web: rateLimit('GLOBAL_WEB'), critical: rateLimit('CRITICAL') },
    services: {
      github: read('GITHUB_URL'),
      githubApi: read('GITHUB_API_URL'),
      linuxdo: read('LINUXDO_URL'),
      turnstile: read('TURNSTILE_URL'),
    },
    channelJobs: {
      testEveryMs: read('CHANNEL_TEST_FREQUENCY') * 60_000,
      balanceEveryMs: read('CHANNEL_UPDATE_FREQUENCY') * 60_000,
      pauseMs: read('POLLING_INTERVAL') * 1000,
    },
    pollsTasks: read('UPDATE_TASK'),
    generateDefaultToken: read('GENERATE_DEFAULT_TOKEN'),
    gemini: {
      safety: read('GEMINI_SAFETY_SETTING') || undefined,
      imagesMax: read('GEMINI_VISION_MAX_IMAGE_NUM'),
      versions: read('GEMINI_MODEL_MAP'),
    },
    otlp: otlp.endpoint ? otlp : undefined,
    unreachableReplyMs: 5_500,
    media: { bytesMax: read('MAX_FILE_DOWNLOAD_MB') * 1024 * 1024, allowHosts: read('MEDIA_ALLOW_HOSTS') },
  }
}

function folderOf(path: string): string {
  const slash = path.lastIndexOf('/')
  return slash < 0 ? '.' : path.slice(0, slash) || '/'
}
