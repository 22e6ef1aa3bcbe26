import type { ServerResponse } from 'node:http'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Config } from '../core/config.ts'
import type { Options } from '../core/options/options.ts'
import { OPTIONS } from '../core/options/registry.ts'
import { paymentSettings } from '../core/wallet/settings.ts'
import { type HeaderList, headerList } from './header-list.ts'

/** Makes browsers use the declared type of a reply instead of guessing it from the bytes. */
const NO_SNIFFING = { 'x-content-type-options': 'nosniff' } as const

/** Headers for replies with third-party bytes. In a browser, such bytes run with an opaque origin and load nothing. */
export const INERT = { ...NO_SNIFFING, 'content-security-policy': "sandbox; default-src 'none'" } as const

const YEAR_S = 31_536_000
/** Sent only with TLS, because browsers ignore this header over plain HTTP (RFC 6797). */
const HSTS = { 'strict-transport-security': `max-age=${YEAR_S}` } as const
const INERT_LIST = headerList(INERT)
const INERT_BEHIND_TLS = headerList({ ...INERT, ...HSTS })
/** Features that neither the console nor its frames use. */
const UNUSED_FEATURES = [
  'accelerometer',
  'camera',
  'display-capture',
  'geolocation',
  'gyroscope',
  'hid',
  'magnetometer',
  'microphone',
  'midi',
  'payment',
  'serial',
  'usb',
]
const PERMISSIONS = UNUSED_FEATURES.map((feature) => `${feature}=()`).join(', ')
const TELEGRAM = 'https://telegram.org'
/** Options that can contain URLs of pictures. The content security policy allows the origins of these URLs. */
const PICTURE_OPTIONS = [
  OPTIONS.Logo,
  OPTIONS.WeChatAccountQRCodeImageURL,
  OPTIONS.Footer,
  OPTIONS.Notice,
  OPTIONS.About,
  OPTIONS.HomePageContent,
]
const ORIGINS_MAX = 50

/** Replies to requests that arrived over TLS, for `inertHeaders`. */
const BEHIND_TLS = new WeakSet<ServerResponse>()

/** Hook that marks the reply to a TLS request, for `inertHeaders`. */
export function noteTls(request: FastifyRequest, reply: FastifyReply, done: () => void): void {
  if (request.protocol === 'https') markTls(reply.raw)
  done()
}

export function markTls(response: ServerResponse): void {
  BEHIND_TLS.add(response)
}

/** Returns the headers for third-party bytes in a reply that bypasses Fastify. */
export function inertHeaders(response: ServerResponse): HeaderList {
  return BEHIND_TLS.has(response) ? INERT_BEHIND_TLS : INERT_LIST
}

/** Hook that sets security headers for every reply that Fastify sends. */
export async function secureReply(request: FastifyRequest, reply: FastifyReply): Promise<void> {
  reply.headers(NO_SNIFFING)
  if (request.protocol === 'https') reply.headers(HSTS)
  // Replies of the management API are private to a user. `routeOptions.url` is undefined for an unknown path.
  const paths = [request.routeOptions.url, request.url]
  if (paths.some((path) => path?.startsWith('/api/'))) reply.header('cache-control', 'no-store')
}

/**
 * Returns a function that returns the security headers of the console's pages and files, which depend on the options.
 */
export function consoleHeaders(options: Options, services: Config['services']): () => Record<string, string> {
  let texts: readonly string[] = []
  let pictureOrigins: readonly string[] = []
  return () => {
    const current = PICTURE_OPTIONS.map((option) => options.get(option))
    // Parse the texts only after a change, because parsing them for each requested file would be slow.
    if (current.some((text, place) => text !== texts[place])) {
      texts = current
      pictureOrigins = originsIn(current)
    }
    const scripts = [
      ...(options.get(OPTIONS.TurnstileCheckEnabled) ? [new URL(services.turnstile).origin] : []),
      ...(options.get(OPTIONS.TelegramOAuthEnabled) ? [TELEGRAM] : []),
    ]
    const policy = {
      'default-src': ["'self'"],
      'script-src': ["'self'", ...scripts],
      'style-src': ["'self'", "'unsafe-inline'"],
      // The gateway fetches other third-party pictures itself, so that their hosts learn nothing about the reader.
      'img-src': ["'self'", 'data:', 'blob:', ...pictureOrigins],
      // Upstreams may host music on any server. `http:` matters only if the console itself uses plain HTTP.
      'media-src': ["'self'", 'https:', 'http:'],
      // The operator may embed any URL in a frame.
      'frame-src': ['https:', 'http:'],
      'form-action': ["'self'", ...paymentTargets(options)],
      'object-src': ["'none'"],
      'base-uri': ["'self'"],
      'frame-ancestors': ["'none'"],
    }
    return {
      ...NO_SNIFFING,
      'content-security-policy': Object.entries(policy)
        .map(([directive, sources]) => [directive, ...sources].join(' '))
        .join('; '),
      'permissions-policy': PERMISSIONS,
      'referrer-policy': 'same-origin',
    }
  }
}

/**
 * Returns the allowed targets of the payment form. Payment gateways redirect to a bank, and some browsers also check
 * the redirect.
 */
function paymentTargets(options: Options): string[] {
  const payment = paymentSettings(options)
  if (!payment) return []
  const { protocol, origin } = new URL(payment.url)
  return protocol === 'https:' ? ['https:'] : [origin, 'https:']
}

/**
 * Returns the origins of at most 50 URLs in the texts. The pattern matches only characters that are valid in a policy.
 */
function originsIn(texts: readonly string[]): string[] {
  const addresses = texts.flatMap((text) => text.match(/https?:\/\/[a-z0-9.-]+(:\d{1,5})?/gi) ?? [])
  const origins = addresses.filter((address) => URL.canParse(address)).map((address) => new URL(address).origin)
  return [...new Set(origins)].slice(0, ORIGINS_MAX)
}
