import { type IdentityProvider, providerInfo } from '../../../core/accounts/providers.ts'
import { GatewayError } from '../../../core/errors.ts'
import { isRecord, recordOf } from '../../../core/records.ts'
import { type OutboundRequest, outbound } from '../../outbound.ts'

const REASON_MAX = 200

export type ProviderReply = Record<string, unknown>

/**
 * Sends one request to an identity provider, which must reply with a JSON object. Masks the secrets in `hide` in the
 * reasons of errors, because a provider may repeat these secrets. Throws PROVIDER_UNREACHABLE, PROVIDER_ANSWER, or
 * PROVIDER_REFUSED with the provider's text.
 */
export async function callIdentityProvider(
  provider: IdentityProvider,
  url: string,
  { hide, headers, ...options }: OutboundRequest & { hide: readonly string[] },
): Promise<ProviderReply> {
  const { name } = providerInfo(provider)
  // GitHub requires a User-Agent.
  const request = { ...options, headers: { 'user-agent': 'tollgate', ...headers } }
  const { status, json } = await outbound(url, request).catch((cause: Error) => {
    const reason = sanitizeReason(cause.message, hide)
    throw new GatewayError('PROVIDER_UNREACHABLE', { provider: name, reason }, { cause })
  })
  if (status >= 500) throw new GatewayError('PROVIDER_UNREACHABLE', { provider: name, reason: `status ${status}` })
  const fields = recordOf(json)
  if (status >= 400 || fields.error) {
    const reason = [fields.error_description, fields.error, fields.message].map(textOrNone).find(Boolean)
    throw providerRefusal(provider, sanitizeReason(reason ?? '', hide) || `status ${status}`)
  }
  if (status >= 300 || !isRecord(json)) throw unusableReplyError(provider, `status ${status}, not a JSON object`)
  return fields
}

/** Returns the access token. Throws PROVIDER_ANSWER if it is missing or not valid in a header. */
export function accessTokenOf(provider: IdentityProvider, { access_token }: ProviderReply): string {
  if (isText(access_token) && /^[\x21-\x7e]+$/.test(access_token)) return access_token
  throw unusableReplyError(provider, 'no access token')
}

export function providerRefusal(provider: IdentityProvider, reason: string): GatewayError {
  return new GatewayError('PROVIDER_REFUSED', { provider: providerInfo(provider).name, reason })
}

/** Returns the error for a reply that cannot be used. `reason` is only logged. Users do not see it. */
export function unusableReplyError(provider: IdentityProvider, reason: string, cause?: unknown): GatewayError {
  return new GatewayError('PROVIDER_ANSWER', { provider: providerInfo(provider).name, reason }, { cause })
}

/** Returns the value if it is a non-empty text, else undefined. */
export function textOrNone(value: unknown): string | undefined {
  return isText(value) && value !== '' ? value : undefined
}

/**
 * Makes third-party text safe to display. Masks the secrets in `hide`, replaces control characters and line breaks by
 * spaces, and shortens the text.
 */
export function sanitizeReason(text: string, hide: readonly string[] = []): string {
  const clean = hide
    .filter((secret) => secret !== '')
    .flatMap((secret) => [secret, encodeURIComponent(secret), new URLSearchParams({ '': secret }).toString().slice(1)])
    .reduce((cleaned, secret) => cleaned.replaceAll(secret, '***'), text)
    .replace(/[\p{C}\s]+/gu, ' ')
    .trim()
  return [...clean].slice(0, REASON_MAX).join('')
}

function isText(value: unknown): value is string {
  return typeof value === 'string'
}
