import type { LiveChannel } from '../../../core/channels/directory.ts'
import { blamesRequest, type NamedError } from '../../../core/channels/health/blame.ts'
import { masked, type Secrets, secretsIn } from './key-mask.ts'
import type { Failure } from './provider.ts'

const MESSAGE_LENGTH_MAX = 2000
/** Read before the key is taken out: a message that is cut within the key would show its beginning. */
const READ_LENGTH_MAX = 2 * MESSAGE_LENGTH_MAX
/** Longer than a key in any notation. */
const MARGIN_LENGTH = 1000
const KEY_LENGTH_MIN = 8
const SECRET_HEADER = /auth|key|token|secret|password|cookie/i
/** From here on a key is taken out where it stands alone. */
const WORD_LENGTH_MIN = 4

/** Statuses after which another channel is not asked: the request itself is at fault, or the upstream may still work on it. */
const FINAL = new Set([400, 408, 413, 422, 504, 524])

const MESSAGE_FIELDS = ['message', 'msg', 'err', 'error_msg', 'errorMessage', 'detail']

/** An upstream's error answer. `body` may be anything; its message is looked for where vendors are known to put it. */
export function readFailure(status: number, body: string): Failure {
  const parsed = parse(body)
  const error = field(parsed, 'error')
  const message =
    text(field(error, 'message')) ??
    text(error) ??
    MESSAGE_FIELDS.map((name) => text(field(parsed, name))).find(Boolean) ??
    text(field(field(parsed, 'header'), 'message')) ??
    text(field(field(field(parsed, 'response'), 'error'), 'message')) ??
    text(field(first(field(parsed, 'errors')), 'message')) ??
    text(field(first(field(parsed, 'detail')), 'msg')) ??
    text(parsed)
  return failure(status, message ?? `bad response status code ${status}`, {
    type: text(field(error, 'type')) ?? 'upstream_error',
    param: text(field(error, 'param')) ?? null,
    code: text(field(error, 'code')) ?? text(field(parsed, 'code')) ?? 'bad_response_status_code',
  })
}

export function failure(
  status: number,
  message: string,
  { type = 'upstream_error', param = null, code = null }: Partial<Pick<Failure, 'type' | 'param' | 'code'>> = {},
): Failure {
  const retry = retryFor({ status, type, code })
  return { status, message: message.slice(0, READ_LENGTH_MAX + 1), type, param, code, retry }
}

function retryFor(error: NamedError): Failure['retry'] {
  const { status } = error
  if (blamesRequest(error)) return 'never'
  return FINAL.has(status) || (status >= 200 && status < 300) ? 'never' : 'other-channel'
}

/** A failure as a client may see it: the channel's mapping applied, its key and every address taken out. */
export function presentable(found: Failure, channel: LiveChannel): Failure {
  const mapped = Number(channel.statusCodeMapping[String(found.status)] ?? found.status)
  const status = mapped >= 400 && mapped < 600 ? mapped : found.status < 400 ? 502 : found.status
  const clean = (text: string) => withoutSecrets(text, channel)
  return {
    ...found,
    status,
    ...(status !== found.status && { originalStatus: found.status }),
    message: clean(found.message),
    type: clean(found.type),
    param: found.param === null ? null : clean(found.param),
    code: found.code === null ? null : clean(found.code),
    ...(found.details && { details: cleanDetails(found.details, clean) }),
    retry: mapped === found.status ? found.retry : retryFor({ ...found, status: mapped }),
  }
}

/** Words and lists of words; what is deeper is left out, since a key could be in it. */
function cleanDetails(details: Readonly<Record<string, unknown>>, clean: (text: string) => string) {
  const cleaned = (value: unknown): unknown =>
    typeof value === 'string' ? clean(value) : typeof value === 'object' && value !== null ? undefined : value
  return Object.fromEntries(
    Object.entries(details)
      .slice(0, DETAILS_MAX)
      .map(([name, value]) => [
        clean(name),
        Array.isArray(value) ? value.slice(0, DETAILS_MAX).map(cleaned) : cleaned(value),
      ]),
  )
}
const DETAILS_MAX = 20

/** What looks like a credential, or like a place in somebody's network, and what stands for it. The order matters. */
const SECRETS: readonly (readonly [RegExp, string])[] = [
  [/-----BEGIN [A-Z ]+-----.*?(-----END [A-Z ]+-----|$)/gs, '***'],
  [/\b(sk|pk|key|api)-[A-Za-z0-9_*-]{8,}/gi, '***'],
  [/\b(rk|org|proj|xai|pplx|nvapi|gsk|hf|fw|r8)[-_](?=[A-Za-z_-]*\d)[A-Za-z0-9_-]{16,}/g, '***'],
  [/\b(AIza[A-Za-z0-9_-]{20,}|(AKIA|ASIA)[A-Z0-9]{12,}|ya29\.[A-Za-z0-9_-]+)/g, '***'],
  [/\b(Bearer|Basic) +(?=[^\s"'<>]*\d)[^\s"'<>]{8,}/gi, '$1 ***'],
  [/\beyJ[A-Za-z0-9_-]{8,}(\.[A-Za-z0-9_-]*)*/g, '***'],
  [/\barn:[a-z0-9-]*:[^\s"'<>,]+/gi, '***'],
  [/\b[a-z][a-z0-9+.-]*:\/\/[^\s"'<>]+/gi, '***'],
  [/(?<![^\s"'<>/:@])[^\s"'<>/:@]+:[^\s"'<>/@]+@[a-z0-9.-]+(:\d+)?/gi, '***'],
  // Two colons side by side, or seven: times of day have neither.
  [/\[[0-9a-f.]*:[0-9a-f.]*:[0-9a-f:.]*(%\w+)?\](:\d+)?/gi, '***'],
  [/(?<![\w:.])(?=[0-9a-f:]*::|([0-9a-f]+:){7})(?=:*[0-9a-f])[0-9a-f:]+(\.\d+){0,3}(%\w+)?(?![\w:])/gi, '***'],
  [/\b\d{1,3}(\.\d{1,3}){3}(:\d+)?\b/g, '***'],
  [/\b(lookup|ENOTFOUND|EAI_AGAIN) +[^\s"'<>,]*[^\s"'<>,.:;]/g, '$1 ***'],
  [/\b([a-z0-9_-]+\.)+(local|localdomain|internal|intranet|corp|lan|svc)\b(\.[a-z0-9-]+)*(:\d+)?/gi, '***'],
  [/\b(localhost|([a-z0-9-]+\.)+[a-z][a-z0-9-]*):\d{1,5}\b/gi, '***'],
]

/**
 * An upstream's words without the channel's keys and address, and without anything that looks like a key or an address. Long texts are
 * cut: an upstream must not make the search take seconds.
 */
export function withoutSecrets(text: string, channel: Owner): string {
  const read = withoutKeys(text.slice(0, READ_LENGTH_MAX), channel)
  const cleaned = SECRETS.reduce((said, [pattern, shown]) => said.replace(pattern, shown), read)
  const shown = withoutHost(cleaned, channel)
  // What stands before a cut may be the beginning of a key.
  const end = text.length > READ_LENGTH_MAX ? Math.max(0, shown.length - MARGIN_LENGTH) : shown.length
  return shown.slice(0, Math.min(end, MESSAGE_LENGTH_MAX))
}

/**
 * The same of words in which addresses and numbers have their place, like prompts and the names of buttons: only the channel's
 * own keys and address are taken out.
 */
export function withoutOwnSecrets(text: string, channel: Owner): string {
  return withoutHost(withoutKeys(text, channel), channel)
}

/** Shorter keys, such as those of a server in the operator's network, are found by chance. */
const PLAIN_KEY_LENGTH_MIN = 16

/**
 * A good reply without the key that it was asked for with, as it was sent: some services, reached by a wrong address, repeat all headers.
 * The very same bytes if they do not have it.
 */
export function bytesWithoutKey(bytes: Buffer, { key }: Pick<Owner, 'key'>): Buffer {
  if (key.length < PLAIN_KEY_LENGTH_MIN || !bytes.includes(key)) return bytes
  return Buffer.from(bytes.toString('latin1').replaceAll(key, '***'), 'latin1')
}

type Owner = Pick<LiveChannel, 'key'> & Partial<Pick<LiveChannel, 'baseUrl' | 'ring' | 'settings'>>

function withoutHost(text: string, { baseUrl = '' }: Owner): string {
  if (!URL.canParse(baseUrl)) return text
  const { host, hostname } = new URL(baseUrl)
  const withPort = host === hostname ? text : text.replaceAll(host, '***')
  // A bare word like `localhost` may mean anything.
  return hostname.includes('.') ? withPort.replaceAll(hostname, '***') : withPort
}

/** Computed at the first error of a channel, and dropped with it. */
const SECRETS_OF = new WeakMap<Owner, Secrets>()

function withoutKeys(text: string, channel: Owner): string {
  let secrets = SECRETS_OF.get(channel)
  if (!secrets) {
    const headers = headerSecrets(channel)
    secrets = { sent: secretsIn([channel.key, ...headers]), all: secretsIn(keysOf(channel)) }
    SECRETS_OF.set(channel, secrets)
  }
  // A short one goes where nothing else is written against it.
  const short = keysOf(channel).filter(({ length }) => length >= WORD_LENGTH_MIN && length < KEY_LENGTH_MIN)
  return short.reduce(withoutWord, masked(text, secrets))
}

function keysOf({ key, ring }: Owner): readonly string[] {
  return ring?.texts ?? [key]
}

/** Operators put further keys into the headers that a channel sends. */
function headerSecrets({ settings }: Owner): string[] {
  const headers = Object.entries(settings?.headerOverride ?? {})
  return headers.flatMap(([name, value]) => (SECRET_HEADER.test(name) && !value.includes('{') ? [value] : []))
}

function withoutWord(text: string, word: string): string {
  const literal = word.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
  return text.replace(new RegExp(`(?<!\\w)${literal}(?!\\w)`, 'g'), '***')
}

function parse(body: string): unknown {
  try {
    return JSON.parse(body)
  } catch {
    return undefined
  }
}

function field(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[name] : undefined
}

function first(value: unknown): unknown {
  return Array.isArray(value) ? value[0] : undefined
}

function text(value: unknown): string | undefined {
  if (typeof value === 'number') return String(value)
  return typeof value === 'string' && value !== '' ? value : undefined
}
