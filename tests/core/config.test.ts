import { describe, expect, test } from 'vitest'
import { parseConfig, resolveSettings, SETTINGS, type SettingName } from '../../core/config.ts'

const NOTHING = { flags: {}, environment: {}, file: {} }
const parse = (environment: Record<string, string>) => parseConfig(resolveSettings({ ...NOTHING, environment }), 8)

describe('a setting', () => {
  test('uses the flag before the environment, the file and the default, and returns the source', () => {
    const sources = { flags: { PORT: '1' }, environment: { PORT: '2' }, file: { port: '3' } }
    const port = (given: object) =>
      resolveSettings({ ...NOTHING, ...given }).find(({ name }) => name === 'PORT') ?? expect.fail('no PORT')

    expect(port(sources)).toMatchObject({ value: '1', origin: 'flag' })
    expect(port({ ...sources, flags: {} })).toMatchObject({ value: '2', origin: 'environment' })
    expect(port({ file: sources.file })).toMatchObject({ value: '3', origin: 'file' })
    expect(port({ file: { PORT: '4' } })).toMatchObject({ value: '4', origin: 'file' })
    expect(port({})).toMatchObject({ value: '3000', origin: 'default' })
  })

  test('that is empty counts as absent', () => {
    const given = { flags: { PORT: '' }, environment: { PORT: '' }, file: { port: '3' } }
    expect(resolveSettings(given).find(({ name }) => name === 'PORT')).toMatchObject({ value: '3', origin: 'file' })
  })

  test('that is secret is marked, so that printed settings can hide it', () => {
    const secret = resolveSettings(NOTHING).filter((setting) => setting.secret)
    expect(secret.map(({ name }) => name)).toEqual(['TOLLGATE_SECRET', 'ROOT_PASSWORD', 'OTEL_EXPORTER_OTLP_HEADERS'])
  })
})

test('the defaults are a configuration', () => {
  expect(parse({})).toMatchObject({
    port: 3000,
    host: '0.0.0.0',
    databaseUrl: 'sqlite:./data/tollgate.db',
    dataFolder: './data',
    secret: undefined,
    workers: 1,
    relayTimeoutMs: 300_000,
    firstTokenTimeoutMs: 0,
    websocketIdleMs: 600_000,
    stopGraceMs: 30_000,
    bodyMax: 16 * 1024 * 1024,
    trustProxy: false,
    rootPassword: undefined,
  })
})

test.each([
  [{ WORKERS: 'auto' }, { workers: 8 }],
  [{ HOST: '[::1]' }, { host: '::1' }],
  [{ HOST: '::' }, { host: '::' }],
  [{ HOST: 'fe80::1%eth0' }, { host: 'fe80::1%eth0' }],
  [{ HOST: 'gateway.internal' }, { host: 'gateway.internal' }],
  [{ FIRST_TOKEN_TIMEOUT: '5' }, { firstTokenTimeoutMs: 5000 }],
  [{ DATABASE_URL: 'sqlite:tollgate.db' }, { dataFolder: '.' }],
  [{ DATABASE_URL: 'sqlite:/tollgate.db' }, { dataFolder: '/' }],
  [{ DATABASE_URL: 'sqlite:/var/lib/tollgate/t.db' }, { dataFolder: '/var/lib/tollgate' }],
  [{ DATABASE_URL: 'postgresql://a:b@c/d' }, { databaseUrl: 'postgresql://a:b@c/d', dataFolder: './data' }],
  [{ TRUST_PROXY: 'on' }, { trustProxy: true }],
  [{ TRUST_PROXY: '10.0.0.0/8, ::1' }, { trustProxy: ['10.0.0.0/8', '::1'] }],
  [
    { GEMINI_SAFETY_SETTING: 'OFF' },
    { gemini: { safety: 'OFF', imagesMax: 16, versions: { 'gemini-1.0-pro': 'v1' } } },
  ],
  [
    { GEMINI_VISION_MAX_IMAGE_NUM: '-1' },
    { gemini: { safety: undefined, imagesMax: -1, versions: { 'gemini-1.0-pro': 'v1' } } },
  ],
  [
    { GEMINI_MODEL_MAP: 'a:v1, b:v1alpha,' },
    { gemini: { safety: undefined, imagesMax: 16, versions: { a: 'v1', b: 'v1alpha' } } },
  ],
  [{ MAX_FILE_DOWNLOAD_MB: '3' }, { media: { bytesMax: 3 * 1024 * 1024, allowHosts: [] } }],
  [
    { MEDIA_ALLOW_HOSTS: 'minio.internal:9000, 10.20.0.0/16' },
    { media: { allowHosts: [{ kind: 'host', host: 'minio.internal', port: 9000 }, { kind: 'range' }] } },
  ],
  [{ TOLLGATE_SECRET: 'sixteen letters.' }, { secret: 'sixteen letters.' }],
])('%j is parsed as %j', (environment, expected) => {
  expect(parse(environment as Record<string, string>)).toMatchObject(expected)
})

const BAD: Partial<Record<SettingName, string[]>> = {
  HOST: ['http://localhost', '127.0.0.1:80', '[::1]:80', 'a b'],
  GLOBAL_API_RATE_LIMIT_ENABLE: ['maybe'],
  GLOBAL_API_RATE_LIMIT: ['0', 'many'],
  GLOBAL_API_RATE_LIMIT_DURATION: ['0'],
  GLOBAL_WEB_RATE_LIMIT_ENABLE: ['maybe'],
  GLOBAL_WEB_RATE_LIMIT: ['0'],
  GLOBAL_WEB_RATE_LIMIT_DURATION: ['0'],
  CRITICAL_RATE_LIMIT_ENABLE: ['maybe'],
  CRITICAL_RATE_LIMIT: ['0'],
  CRITICAL_RATE_LIMIT_DURATION: ['0'],
  GITHUB_URL: ['github.com', 'ftp://github.com'],
  GITHUB_API_URL: ['nowhere'],
  LINUXDO_URL: ['nowhere'],
  TURNSTILE_URL: ['nowhere'],
  GENERATE_DEFAULT_TOKEN: ['maybe'],
  GEMINI_SAFETY_SETTING: ['LOUD'],
  GEMINI_VISION_MAX_IMAGE_NUM: ['-2', 'some'],
  OTEL_EXPORTER_OTLP_ENDPOINT: ['localhost:4318', 'ftp://collector'],
  OTEL_EXPORTER_OTLP_HEADERS: ['secret', '=a', 'a=%zz'],
  GEMINI_MODEL_MAP: ['a', 'a:', 'a:b:c'],
  MAX_FILE_DOWNLOAD_MB: ['0', '1025', 'much'],
  UPLOAD_MAX_MB: ['0', 'much'],
  BODY_ITEMS_MAX: ['99', 'many'],
  BODIES_MAX_MB: ['0', 'much'],
  BODIES_ADDRESS_MAX_MB: ['0', '65537'],
  BODIES_USER_MAX_MB: ['0', '-1'],
  MEDIA_ALLOW_HOSTS: ['http://minio.internal', '10.0.0.0/33', 'a b', '*'],
  CHANNEL_TEST_FREQUENCY: ['often', '-1', '525601'],
  CHANNEL_UPDATE_FREQUENCY: ['1.5'],
  POLLING_INTERVAL: ['-1', '3601', 'off'],
  UPDATE_TASK: ['maybe'],
  PORT: ['http', '-1', '65536', '80.5', '0x50'],
  DATABASE_URL: ['tollgate.db', 'sqlite:', 'sqlite: ', 'mysql://a:b@c/d', 'http://example.org'],
  TOLLGATE_SECRET: ['too short'],
  WORKERS: ['0', '257', 'all'],
  LOG_LEVEL: ['loud', 'INFO'],
  RELAY_TIMEOUT: ['0', 'off', '86401'],
  FIRST_TOKEN_TIMEOUT: ['on', '-1', '86401'],
  WEBSOCKET_IDLE: ['0', 'off', '86401'],
  STOP_GRACE: ['3601', 'never'],
  BODY_MAX_MB: ['0', '1025', '64MB'],
  TRUST_PROXY: ['yes', '10.0.0.0/33', '10.0.0.1,'],
}

test('every setting that can be invalid has invalid values below', () => {
  const free: SettingName[] = ['OTEL_SERVICE_NAME', 'ROOT_PASSWORD']
  expect([...Object.keys(BAD), ...free].sort()).toEqual(Object.keys(SETTINGS).sort())
})

test.each(Object.entries(BAD).flatMap(([name, values]) => values.map((value) => [name, value] as const)))(
  '%s=%s is rejected, and the error names the setting',
  (name, value) => {
    expect(() => parse({ [name]: value })).toThrow(
      expect.objectContaining({ code: 'CONFIG_INVALID', params: expect.objectContaining({ name }) }),
    )
  },
)

test('an address of MySQL is rejected with the command that imports from there, without its password', () => {
  expect(() => parse({ DATABASE_URL: 'mysql://a:hidden@c/d' })).toThrow(
    expect.objectContaining({
      params: { name: 'DATABASE_URL', reason: expect.stringMatching(/^(?!.*hidden).*tollgate import new-api mysql:/) },
    }),
  )
})

test('a rejected secret is not repeated', () => {
  const refusal = (() => {
    try {
      return parse({ TOLLGATE_SECRET: 'hunter2' })
    } catch (error) {
      return String(error)
    }
  })()
  expect(refusal).toMatch(/CONFIG_INVALID/)
  expect(refusal).not.toContain('hunter2')
})
