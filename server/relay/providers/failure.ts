import { isRequestError, type NamedError } from '../../../core/channels/health/request-errors.ts'
import type { LiveChannel } from '../../../core/channels/routing/directory.ts'
import type { Reason } from '../../../core/messages/reasons.ts'
import { recordOf } from '../../../core/records.ts'
import { arrayOf, textOf } from '../json.ts'
import { type MaskedTexts, maskSecrets, SECRET_LENGTH_MIN, secretsIn } from './key-mask.ts'
import type { Failure } from './provider.ts'

/** Maximum length of a message, in characters, after its secrets are masked. */
const MESSAGE_LENGTH_MAX = 2000
/**
 * Number of characters in which secrets are masked, because masking a long text could take seconds. It exceeds
 * MESSAGE_LENGTH_MAX, because a cut before the masking could split a key.
 */
const READ_LENGTH_MAX = 2 * MESSAGE_LENGTH_MAX
/** Characters to drop from the end of a text that was cut to READ_LENGTH_MAX, because the cut may have split a key. */
const MARGIN_LENGTH = 1000
/** Matches names of headers that contain a secret. */
const SECRET_HEADER = /auth|key|token|secret|password|cookie/i
/** Minimum length of a short key. A key below SECRET_LENGTH_MIN is short, and is masked only as a whole word. */
const SHORT_KEY_LENGTH_MIN = 4

/** Statuses after which there is no retry, because the request is invalid or the upstream may still process it. */
const FINAL_STATUSES = new Set([400, 408, 413, 422, 504, 524])

const MESSAGE_FIELDS = ['message', 'msg', 'err', 'error_msg', 'errorMessage', 'detail']

/** Reads an upstream's error response. `body` may have any format. Finds the message in the fields that vendors use. */
export function readFailure(status: number, body: string): Failure {
  const parsed = parseJson(body)
  const fields = recordOf(parsed)
  const error = recordOf(fields.error)
  const message =
    scalarText(error.message) ??
    scalarText(fields.error) ??
    MESSAGE_FIELDS.map((name) => scalarText(fields[name])).find(Boolean) ??
    scalarText(recordOf(fields.header).message) ??
    scalarText(recordOf(recordOf(fields.response).error).message) ??
    scalarText(recordOf(arrayOf(fields.errors)[0]).message) ??
    scalarText(recordOf(arrayOf(fields.detail)[0]).msg) ??
    scalarText(parsed)
  return createFailure(status, message ?? `bad response status code ${status}`, {
    type: scalarText(error.type) ?? 'upstream_error',
    param: scalarText(error.param) ?? null,
    code: scalarText(error.code) ?? scalarText(fields.code) ?? 'bad_response_status_code',
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
  // One character more than READ_LENGTH_MAX lets `withoutSecrets` detect the cut.
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
  const isFinal = isRequestError(error) || FINAL_STATUSES.has(status) || (status >= 200 && status < 300)
  return isFinal ? 'never' : 'other-channel'
}

/**
 * Returns a failure that clients may see. Applies the channel's status mapping, and masks secrets and addresses.
 *
 * A mapping to a status that is not an error has no effect. The status 502 replaces an original status below 400.
 */
export function toClientFailure(original: Failure, channel: LiveChannel): Failure {
  const mapped = Number(channel.statusCodeMapping[String(original.status)] ?? original.status)
  const errorStatus = original.status < 400 ? 502 : original.status
  const status = mapped >= 400 && mapped < 600 ? mapped : errorStatus
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

/**
 * Masks secrets in details: texts, numbers, booleans, and lists of these. Replaces objects by undefined, because they
 * could contain a key. Keeps at most DETAILS_MAX fields, and DETAILS_MAX items of each list.
 */
function cleanDetails(details: Readonly<Record<string, unknown>>, clean: (text: string) => string) {
  const cleanValue = (value: unknown): unknown => {
    if (typeof value === 'string') return clean(value)
    return typeof value === 'object' && value !== null ? undefined : value
  }
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

/** Patterns of credentials and addresses, with their replacements, in the order in which they are applied. */
const SECRET_PATTERNS: readonly (readonly [RegExp, string])[] = [
  // PEM blocks, such as private keys.
  [/-----BEGIN [A-Z ]+-----.*?(-----END [A-Z ]+-----|$)/gs, '***'],
  // Keys by their prefixes: OpenAI's style, other vendors, then Google and AWS.
  [/\b(sk|pk|key|api)-[A-Za-z0-9_*-]{8,}/gi, '***'],
  [/\b(rk|org|proj|xai|pplx|nvapi|gsk|hf|fw|r8)[-_](?=[A-Za-z_-]*\d)[A-Za-z0-9_-]{16,}/g, '***'],
  [/\b(AIza[A-Za-z0-9_-]{20,}|(AKIA|ASIA)[A-Z0-9]{12,}|ya29\.[A-Za-z0-9_-]+)/g, '***'],
  // Values of `authorization` headers, JSON Web Tokens, and AWS ARNs, which contain account numbers.
  [/\b(Bearer|Basic) +(?=[^\s"'<>]*\d)[^\s"'<>]{8,}/gi, '$1 ***'],
  [/\beyJ[A-Za-z0-9_-]{8,}(\.[A-Za-z0-9_-]*)*/g, '***'],
  [/\barn:[a-z0-9-]*:[^\s"'<>,]+/gi, '***'],
  // URLs, and `user:password@host`.
  [/\b[a-z][a-z0-9+.-]*:\/\/[^\s"'<>]+/gi, '***'],
  [/(?<![^\s"'<>/:@])[^\s"'<>/:@]+:[^\s"'<>/@]+@[a-z0-9.-]+(:\d+)?/gi, '***'],
  // IPv6 addresses in brackets.
  [/\[[0-9a-f.]*:[0-9a-f.]*:[0-9a-f:.]*(%\w+)?\](:\d+)?/gi, '***'],
  // IPv6 addresses without brackets, only with `::` or seven colons, because a time of day also has colons.
  [/(?<![\w:.])(?=[0-9a-f:]*::|([0-9a-f]+:){7})(?=:*[0-9a-f])[0-9a-f:]+(\.\d+){0,3}(%\w+)?(?![\w:])/gi, '***'],
  // IPv4 addresses.
  [/\b\d{1,3}(\.\d{1,3}){3}(:\d+)?\b/g, '***'],
  // Host names: in messages of failed DNS queries, in private domains, and before a port.
  [/\b(lookup|ENOTFOUND|EAI_AGAIN) +[^\s"'<>,]*[^\s"'<>,.:;]/g, '$1 ***'],
  [/\b([a-z0-9_-]+\.)+(local|localdomain|internal|intranet|corp|lan|svc)\b(\.[a-z0-9-]+)*(:\d+)?/gi, '***'],
  [/\b(localhost|([a-z0-9-]+\.)+[a-z][a-z0-9-]*):\d{1,5}\b/gi, '***'],
]

/**
 * Masks the channel's keys and address in an upstream's text, and anything that looks like a key or an address.
 * Truncates the result to MESSAGE_LENGTH_MAX.
 */
export function withoutSecrets(text: string, channel: SecretOwner): string {
  const maskedText = SECRET_PATTERNS.reduce(
    (masked, [pattern, replacement]) => masked.replace(pattern, replacement),
    withoutKeys(text.slice(0, READ_LENGTH_MAX), channel),
  )
  const visible = withoutHost(maskedText, channel)
  const end = text.length > READ_LENGTH_MAX ? Math.max(0, visible.length - MARGIN_LENGTH) : visible.length
  return visible.slice(0, Math.min(end, MESSAGE_LENGTH_MAX))
}

/**
 * Masks only the channel's own keys and address. For texts that may contain other addresses, such as prompts and
 * content types.
 */
export function withoutChannelSecrets(text: string, channel: SecretOwner): string {
  return withoutHost(withoutKeys(text, channel), channel)
}

/**
 * Minimum length of a key that is masked in a successful reply. A shorter key, such as that of a local server, can
 * occur in a reply by chance.
 */
const REPLY_KEY_LENGTH_MIN = 16

/**
 * Masks the channel's key in the bytes of a successful reply, because a service at a wrong address may echo all
 * headers. Returns the same buffer if it does not contain the key.
 */
export function bytesWithoutKey(bytes: Buffer, { key }: Pick<SecretOwner, 'key'>): Buffer {
  if (key.length < REPLY_KEY_LENGTH_MIN || !bytes.includes(key)) return bytes
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

/** Texts to mask by channel. They are computed when the channel's first text is masked. */
const MASKED_TEXTS = new WeakMap<SecretOwner, MaskedTexts>()

function withoutKeys(text: string, channel: SecretOwner): string {
  let secrets = MASKED_TEXTS.get(channel)
  if (!secrets) {
    const headers = headerSecrets(channel)
    secrets = { attemptKeyTexts: secretsIn([channel.key, ...headers]), channelKeyTexts: secretsIn(keysOf(channel)) }
    MASKED_TEXTS.set(channel, secrets)
  }
  const shortKeys = keysOf(channel).filter(({ length }) => length >= SHORT_KEY_LENGTH_MIN && length < SECRET_LENGTH_MIN)
  return shortKeys.reduce(withoutWord, maskSecrets(text, secrets))
}

/** Returns all keys of the channel, or its only key. */
function keysOf({ key, ring }: SecretOwner): readonly string[] {
  return ring?.texts ?? [key]
}

/** Returns the secrets in the channel's override headers. A value with `{` is a template, not a secret. */
function headerSecrets({ settings }: SecretOwner): string[] {
  const headers = Object.entries(settings?.headerOverride ?? {})
  return headers.flatMap(([name, value]) => (SECRET_HEADER.test(name) && !value.includes('{') ? [value] : []))
}

function withoutWord(text: string, word: string): string {
  const literal = word.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
  return text.replace(new RegExp(`(?<!\\w)${literal}(?!\\w)`, 'g'), '***')
}

function parseJson(body: string): unknown {
  try {
    return JSON.parse(body)
  } catch {
    return undefined
  }
}

function scalarText(value: unknown): string | undefined {
  return typeof value === 'number' ? String(value) : textOf(value)
}
