import type { AllowedHost } from '../../core/allowed-hosts.ts'
import { errorCode } from '../../core/error-parts.ts'
import { GatewayError } from '../../core/errors.ts'
import type { QuotaDisplay } from '../../core/logs/texts.ts'
import { noticeLetter } from '../../core/mail/letters.ts'
import type { Mail } from '../../core/mail/mail.ts'
import type { AttemptOutcome, Outgoing } from '../../core/notices/outgoing.ts'
import type { NoticeSettings } from '../../core/notices/schema.ts'
import { noticeText } from '../../core/notices/texts.ts'
import type { ConnectionGuard } from '../connections.ts'
import { type Lookup, publicAddresses, systemAddresses } from '../guarded/targets.ts'
import { maskSecrets, secretsIn } from '../relay/providers/key-mask.ts'
import { POST_TIMEOUT_MS, post } from './post.ts'
import { WIRE_FORMATS } from './wire-formats.ts'

/** Tries a delivery once, and returns the outcome. Never throws. */
export type DeliverNotice = (outgoing: Outgoing, signal: AbortSignal) => Promise<AttemptOutcome>

const ERROR_REPLY_LENGTH = 200
/** Minimum length of a secret that is masked. Shorter texts may be parts of ordinary words. */
const HIDDEN_LENGTH_MIN = 4
/** Number of characters of a reply that are searched for secrets. */
const SEARCHED_LENGTH_MAX = 2000

/**
 * Creates the function that delivers notices. Notices are posted only to public addresses. The gateway's own targets,
 * which root sets, may also have addresses that MEDIA_ALLOW_HOSTS allows.
 */
export function createDeliverNotice({
  mail,
  display,
  allowHosts,
  lookup = systemAddresses,
  timeoutMs = POST_TIMEOUT_MS,
  now = () => Math.floor(Date.now() / 1000),
}: {
  mail: Pick<Mail, 'send'>
  display: () => QuotaDisplay
  allowHosts: readonly AllowedHost[]
  lookup?: Lookup
  timeoutMs?: number
  now?: () => number
}): DeliverNotice {
  const guardOf = (user_id: number | null): ConnectionGuard => ({
    timeoutMs,
    check: (url) => publicAddresses(url, { allowHosts: user_id === null ? allowHosts : [], lookup }),
  })

  async function sendMail({ target, notice }: Outgoing): Promise<AttemptOutcome> {
    const to = target.user_id === null ? (target.settings.address ?? '') : target.email
    if (to === '') return failure(0, 'the account has no mail address')
    await mail.send({ to, ...noticeLetter(noticeText(notice, { language: target.language, display: display() })) })
    return DELIVERED
  }

  async function sendPost({ id, target, notice }: Outgoing, signal: AbortSignal): Promise<AttemptOutcome> {
    if (target.kind === 'mail') return failure(0, 'a mail is not posted')
    const format = WIRE_FORMATS[target.kind]
    const text = noticeText(notice, { language: target.language, display: display() })
    const request = format.request({ deliveryId: id, notice, text, settings: target.settings, now: now() })
    const reply = await post(request, { guard: guardOf(target.user_id), timeoutMs, signal })
    const { status } = reply
    if (status >= 300 && status < 400) return failure(status, 'redirects are not followed')
    const failWith = (words: string) =>
      failure(status, withoutSecrets(words, target.settings).slice(0, ERROR_REPLY_LENGTH))
    if (status < 200 || status >= 300) return failWith(reply.text)
    const refusal = format.refusal?.(reply)
    return refusal === undefined ? { ...DELIVERED, status } : failWith(refusal)
  }

  return async (outgoing, signal) => {
    try {
      return await (outgoing.target.kind === 'mail' ? sendMail(outgoing) : sendPost(outgoing, signal))
    } catch (error) {
      return failure(0, reasonOf(error))
    }
  }
}

const DELIVERED: AttemptOutcome = { delivered: true, status: 0, error: '' }

function failure(status: number, error: string): AttemptOutcome {
  return { delivered: false, status, error }
}

/**
 * Masks the target's secrets in a reply, because some receivers repeat secrets in errors, such as Bark's device key.
 */
function withoutSecrets(text: string, settings: NoticeSettings): string {
  const { secret = '', bot_token = '', device_key = '', url, base_url } = settings
  const secrets = [secret, bot_token, device_key, ...partsOf(url), ...partsOf(base_url)].filter(
    (each) => each.length >= HIDDEN_LENGTH_MIN,
  )
  const knownSecrets = secretsIn(secrets)
  const masked = secrets.reduce((rest, each) => rest.replaceAll(each, '***'), text.slice(0, SEARCHED_LENGTH_MAX))
  return maskSecrets(masked, { attemptKeyTexts: knownSecrets, channelKeyTexts: knownSecrets })
}

/** Returns the path and the query of an address, and each segment and value in them. Any of these may be a secret. */
function partsOf(address = ''): string[] {
  if (!URL.canParse(address)) return []
  const { pathname, search, searchParams } = new URL(address)
  const segments = pathname.split('/')
  return [pathname, search, ...segments, ...segments.map(decode), ...searchParams.values()].filter(
    (part) => part !== '/',
  )
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** Returns the reason of an error for display, without addresses and secrets. */
function reasonOf(error: unknown): string {
  if (error instanceof GatewayError) return String(error.params.reason ?? error.code)
  const code = errorCode(error)
  if (error instanceof Error && ['TimeoutError', 'AbortError'].includes(error.name)) return 'no reply in time'
  return code === '' ? 'no connection' : `no connection (${code})`
}
