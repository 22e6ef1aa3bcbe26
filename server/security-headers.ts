import type { ServerResponse } from 'node:http'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Config } from '../core/config.ts'
import type { Options } from '../core/options/options.ts'
import { OPTIONS } from '../core/options/registry.ts'
import { paymentSettings } from '../core/wallet/settings.ts'

/** A browser takes the declared type of a reply, and does not guess another from its bytes. */
export const NO_SNIFFING = { 'x-content-type-options': 'nosniff' } as const

/** For bytes that are not ours: if a browser runs them, then in an origin of their own, and they load nothing. */
export const INERT = { ...NO_SNIFFING, 'content-security-policy': "sandbox; default-src 'none'" } as const

const YEAR_S = 31_536_000
/** Only behind TLS, since browsers ignore it elsewhere (RFC 6797). */
const HSTS = { 'strict-transport-security': `max-age=${YEAR_S}` } as const
const INERT_BEHIND_TLS = { ...INERT, ...HSTS } as const
/** What the console never uses, nor a page in one of its frames. */
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
/** Options that operators write pages with: their pictures are shown from where the operator says. */
const PICTURED = [
  OPTIONS.Logo,
  OPTIONS.WeChatAccountQRCodeImageURL,
  OPTIONS.Footer,
  OPTIONS.Notice,
  OPTIONS.About,
  OPTIONS.HomePageContent,
]
const ORIGINS_MAX = 50

/** Replies whose request came by TLS, as far as they may be written past Fastify. */
const BEHIND_TLS = new WeakSet<ServerResponse>()

/** Notes that a request came by TLS, for `inertHeaders`: a hook. */
export function noteTls(request: FastifyRequest, reply: FastifyReply, done: () => void): void {
  if (request.protocol === 'https') markTls(reply.raw)
  done()
}

export function markTls(response: ServerResponse): void {
  BEHIND_TLS.add(response)
}

/** Returns the headers of bytes that are not ours, in a reply that is written past Fastify. */
export function inertHeaders(response: ServerResponse): typeof INERT {
  return BEHIND_TLS.has(response) ? INERT_BEHIND_TLS : INERT
}

/** Sets what every reply of Fastify has: a hook. */
export async function secureReply(request: FastifyRequest, reply: FastifyReply): Promise<void> {
  reply.headers(NO_SNIFFING)
  if (request.protocol === 'https') reply.headers(HSTS)
  // What the API returns is one user's. A path without a route has its own address alone.
  const paths = [request.routeOptions.url, request.url]
  if (paths.some((path) => path?.startsWith('/api/'))) reply.header('cache-control', 'no-store')
}

/** Returns the headers of the console's pages and files, by the options of now. */
export function consoleHeaders(options: Options, services: Config['services']): () => Record<string, string> {
  let texts: readonly string[] = []
  let pictureOrigins: readonly string[] = []
  return () => {
    const current = PICTURED.map((option) => options.get(option))
    // Reading long texts for each file that is asked for would be slow.
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
      // Pictures of other people come through the gateway: their hosts learn nothing about the reader.
      'img-src': ["'self'", 'data:', 'blob:', ...pictureOrigins],
      // Music comes from wherever an upstream has put it. A browser shows nothing over http on a page that came over https.
      'media-src': ["'self'", 'https:', 'http:'],
      // Operators point frames at any address.
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

/** Where the payment form may be sent. A payment gateway redirects to the bank, which some browsers hold against the form. */
function paymentTargets(options: Options): string[] {
  const payment = paymentSettings(options)
  if (!payment) return []
  const { protocol, origin } = new URL(payment.url)
  return protocol === 'https:' ? ['https:'] : [origin, 'https:']
}

/** The origins that texts name. Only those that a policy can have are taken: a host has no blank and no semicolon. */
function originsIn(texts: readonly string[]): string[] {
  const addresses = texts.flatMap((text) => text.match(/https?:\/\/[a-z0-9.-]+(:\d{1,5})?/gi) ?? [])
  const origins = addresses.filter((address) => URL.canParse(address)).map((address) => new URL(address).origin)
  return [...new Set(origins)].slice(0, ORIGINS_MAX)
}
