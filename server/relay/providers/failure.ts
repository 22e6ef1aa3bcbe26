import { isRequestError, type NamedError } from '../../../core/channels/health/request-errors.ts'
import type { LiveChannel } from '../../../core/channels/routing/directory.ts'
import type { Reason } from '../../../core/messages/reasons.ts'
import { type MaskedTexts, maskSecrets, secretsIn } from './key-mask.ts'
import type { Failure } from './provider.ts'

const MESSAGE_LENGTH_MAX = 2000
/**
 * Maximum number of characters in which keys are masked. Masking comes before the cut to MESSAGE_LENGTH_MAX, because a
 * cut inside a key would leave the beginning of the key visible.
 */
const READ_LENGTH_MAX = 2 * MESSAGE_LENGTH_MAX
/**
 * Number of characters to drop from the end of a cut text, because a key at the end may be incomplete. The number
 * exceeds the length of a key in any encoding.
 */
const MARGIN_LENGTH = 1000
const KEY_LENGTH_MIN = 8
const SECRET_HEADER = /auth|key|token|secret|password|cookie/i
/** Shorter keys are not masked. Keys from this length to KEY_LENGTH_MIN are masked only as whole words. */
const WORD_LENGTH_MIN = 4

/** Statuses after which there is no retry: the request is invalid, or the upstream may still be processing it. */
const FINAL_STATUSES = new Set([400, 408, 413, 422, 504, 524])

const MESSAGE_FIELDS = ['message', 'msg', 'err', 'error_msg', 'errorMessage', 'detail']

/** Reads an upstream's error response. `body` may have any format. Finds the message in the fields that vendors use. */
export function readFailure(status: number, body: string): Failure {
  const parsed = parse(body)
  const error = field(parsed, 'error')
  const message =
    text(field(error, 'message')) ??
    text(error) ??
    MESSAGE_FIELDS.map((name) => text(field(parsed, name))).find(Boolean) ??
    text(field(field(parsed, 'header'), 'message')) ??
    text(field(field(field(parsed, 'response'), 'error'), 'message')) ??
    text(field(firstItem(field(parsed, 'errors')), 'message')) ??
    text(field(firstItem(field(parsed, 'detail')), 'msg')) ??
    text(parsed)
  return createFailure(status, message ?? `bad response status code ${status}`, {
    type: text(field(error, 'type')) ?? 'upstream_error',
    param: text(field(error, 'param')) ?? null,
    code: text(field(error, 'code')) ?? text(field(parsed, 'code')) ?? 'bad_response_status_code',
  })
}

/** Returns a failure with the upstream's message, or with the gateway's own message in both languages. */
export function createFailure(
  status: number,
  message: string | Reason,
  { type = 'upstream_error', param = null, code = null }: Partial<Pick<Failure, 'type' | 'param' | 'code'>> = {},
): Failure {
  const retry = retryFor({ status, type, code })
  const { reason, reason_zh } = typeof message === 'string' ? { reason: message, reason_zh: undefined } : message
  const cut = (text: string) => text.slice(0, READ_LENGTH_MAX + 1)
  return {
    status,
    message: cut(reason),
    ...(reason_zh !== undefined && { messageZh: cut(reason_zh) }),
    type,
    param,
    code,
    retry,
  }
}

function retryFor(error: NamedError): Failure['retry'] {
  const { status } = error
  if (isRequestError(error)) return 'never'
  return FINAL_STATUSES.has(status) || (status >= 200 && status < 300) ? 'never' : 'other-channel'
}

/** Returns a failure that clients may see. Applies the channel's status mapping, and masks keys and addresses. */
export function toClientFailure(original: Failure, channel: LiveChannel): Failure {
  const mapped = Number(channel.statusCodeMapping[String(original.status)] ?? original.status)
  const status = mapped >= 400 && mapped < 600 ? mapped : original.status < 400 ? 502 : original.status
  const clean = (text: string) => withoutSecrets(text, channel)
  return {
    ...original,
    status,
    ...(status !== original.status && { originalStatus: original.status }),
    message: clean(original.message),
    ...(original.messageZh !== undefined && { messageZh: clean(original.messageZh) }),
    type: clean(original.type),
    param: original.param === null ? null : clean(original.param),
    code: original.code === null ? null : clean(original.code),
    ...(original.details && { details: cleanDetails(original.details, clean) }),
    retry: mapped === original.status ? original.retry : retryFor({ ...original, status: mapped }),
  }
}

/** Masks secrets in scalars and lists of scalars. Drops deeper values, because these could contain a key. */
function cleanDetails(details: Readonly<Record<string, unknown>>, clean: (text: string) => string) {
  const cleanValue = (value: unknown): unknown =>
    typeof value === 'string' ? clean(value) : typeof value === 'object' && value !== null ? undefined : value
  return Object.fromEntries(
    Object.entries(details)
      .slice(0, DETAILS_MAX)
      .map(([name, value]) => [
        clean(name),
        Array.isArray(value) ? value.slice(0, DETAILS_MAX).map(cleanValue) : cleanValue(value),
      ]),
  )
}
const DETAILS_MAX = 20

/** Patterns of credentials and private addresses, with their replacements, applied in this order. */
const SECRET_PATTERNS: readonly (readonly [RegExp, string])[] = [
  [/-----BEGIN [A-Z ]+-----.*?(-----END [A-Z ]+-----|$)/gs, '***'],
  [/\b(sk|pk|key|api)-[A-Za-z0-9_*-]{8,}/gi, '***'],
  [/\b(rk|org|proj|xai|pplx|nvapi|gsk|hf|fw|r8)[-_](?=[A-Za-z_-]*\d)[A-Za-z0-9_-]{16,}/g, '***'],
  [/\b(AIza[A-Za-z0-9_-]{20,}|(AKIA|ASIA)[A-Z0-9]{12,}|ya29\.[A-Za-z0-9_-]+)/g, '***'],
  [/\b(Bearer|Basic) +(?=[^\s"'<>]*\d)[^\s"'<>]{8,}/gi, '$1 ***'],
  [/\beyJ[A-Za-z0-9_-]{8,}(\.[A-Za-z0-9_-]*)*/g, '***'],
  [/\barn:[a-z0-9-]*:[^\s"'<>,]+/gi, '***'],
  [/\b[a-z][a-z0-9+.-]*:\/\/[^\s"'<>]+/gi, '***'],
  [/(?<![^\s"'<>/:@])[^\s"'<>/:@]+:[^\s"'<>/@]+@[a-z0-9.-]+(:\d+)?/gi, '***'],
  // Requires `::` or seven colons, because a time of day also has colons.
  [/\[[0-9a-f.]*:[0-9a-f.]*:[0-9a-f:.]*(%\w+)?\](:\d+)?/gi, '***'],
  [/(?<![\w:.])(?=[0-9a-f:]*::|([0-9a-f]+:){7})(?=:*[0-9a-f])[0-9a-f:]+(\.\d+){0,3}(%\w+)?(?![\w:])/gi, '***'],
  [/\b\d{1,3}(\.\d{1,3}){3}(:\d+)?\b/g, '***'],
  [/\b(lookup|ENOTFOUND|EAI_AGAIN) +[^\s"'<>,]*[^\s"'<>,.:;]/g, '$1 ***'],
  [/\b([a-z0-9_-]+\.)+(local|localdomain|internal|intranet|corp|lan|svc)\b(\.[a-z0-9-]+)*(:\d+)?/gi, '***'],
  [/\b(localhost|([a-z0-9-]+\.)+[a-z][a-z0-9-]*):\d{1,5}\b/gi, '***'],
]

/**
 * Masks the channel's keys and address in an upstream's text, and anything that looks like a key or an address.
 * Truncates long texts, because masking an unlimited text could take seconds.
 */
export function withoutSecrets(text: string, channel: SecretOwner): string {
  const withoutKnownKeys = withoutKeys(text.slice(0, READ_LENGTH_MAX), channel)
  const maskedText = SECRET_PATTERNS.reduce(
    (masked, [pattern, replacement]) => masked.replace(pattern, replacement),
    withoutKnownKeys,
  )
  const visible = withoutHost(maskedText, channel)
  // A cut text may end inside a key, and the beginning of a key would not match a pattern.
  const end = text.length > READ_LENGTH_MAX ? Math.max(0, visible.length - MARGIN_LENGTH) : visible.length
  return visible.slice(0, Math.min(end, MESSAGE_LENGTH_MAX))
}

/** Removes only the channel's own keys and address, because texts such as prompts may contain other addresses. */
export function withoutChannelSecrets(text: string, channel: SecretOwner): string {
  return withoutHost(withoutKeys(text, channel), channel)
}

/**
 * Minimum length of a key that is masked in a successful reply. A shorter key, such as that of a local server, can
 * occur in a reply by chance.
 */
const PLAIN_KEY_LENGTH_MIN = 16

/**
 * Returns a successful reply without the channel's key: a service at a wrong address may echo all headers. Returns the
 * same buffer if it does not contain the key.
 */
export function bytesWithoutKey(bytes: Buffer, { key }: Pick<SecretOwner, 'key'>): Buffer {
  if (key.length < PLAIN_KEY_LENGTH_MIN || !bytes.includes(key)) return bytes
  return Buffer.from(bytes.toString('latin1').replaceAll(key, '***'), 'latin1')
}

type SecretOwner = Pick<LiveChannel, 'key'> & Partial<Pick<LiveChannel, 'baseUrl' | 'ring' | 'settings'>>

function withoutHost(text: string, { baseUrl = '' }: SecretOwner): string {
  if (!URL.canParse(baseUrl)) return text
  const { host, hostname } = new URL(baseUrl)
  const withPort = host === hostname ? text : text.replaceAll(host, '***')
  // A host name without a dot, such as `localhost`, may be ordinary text.
  return hostname.includes('.') ? withPort.replaceAll(hostname, '***') : withPort
}

/** Secrets by channel, computed at the channel's first error, and garbage-collected together with the channel. */
const SECRETS_OF = new WeakMap<SecretOwner, MaskedTexts>()

function withoutKeys(text: string, channel: SecretOwner): string {
  let secrets = SECRETS_OF.get(channel)
  if (!secrets) {
    const headers = headerSecrets(channel)
    secrets = { attemptKeyTexts: secretsIn([channel.key, ...headers]), channelKeyTexts: secretsIn(keysOf(channel)) }
    SECRETS_OF.set(channel, secrets)
  }
  // A short key is masked only as a whole word.
  const shortKeys = keysOf(channel).filter(({ length }) => length >= WORD_LENGTH_MIN && length < KEY_LENGTH_MIN)
  return shortKeys.reduce(withoutWord, maskSecrets(text, secrets))
}

function keysOf({ key, ring }: SecretOwner): readonly string[] {
  return ring?.texts ?? [key]
}

/** Returns the keys in the channel's override headers. */
function headerSecrets({ settings }: SecretOwner): string[] {
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

function firstItem(value: unknown): unknown {
  return Array.isArray(value) ? value[0] : undefined
}

function text(value: unknown): string | undefined {
  if (typeof value === 'number') return String(value)
  return typeof value === 'string' && value !== '' ? value : undefined
}
