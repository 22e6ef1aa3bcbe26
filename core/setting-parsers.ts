import ipaddr from 'ipaddr.js'
import { type AllowedHost, parseAllowedHost } from './allowed-hosts.ts'
import { GatewayError } from './errors.ts'

/** Parsers of settings. They get the name and the text, and throw CONFIG_INVALID with the name and the reason. */

export const wholeNumberSetting =
  (min: number, max: number) =>
  (name: string, text: string): number => {
    const value = Number(text)
    if (!/^-?\d+$/.test(text) || value < min || value > max)
      reject(name, text, `must be a whole number from ${min} to ${max}`)
    return value
  }
export const anyText = (_: string, text: string): string => text

/** Returns the address or host name to listen on. Accepts IPv6 addresses in brackets, as in URLs. */
export function listenHost(name: string, text: string): string {
  const host = text.replace(/^\[(.*)\]$/, '$1')
  return ipaddr.isValid(host) || /^[\w.-]+$/.test(host)
    ? host
    : reject(name, text, 'must be an address such as 127.0.0.1 or ::, or a host name, without scheme and port')
}

function reject(name: string, value: string, reason: string): never {
  throw new GatewayError('CONFIG_INVALID', { name, reason: `"${value}" ${reason}` })
}

export function databaseUrl(name: string, text: string): string {
  if (/^sqlite:[^/]*\S/.test(text) || /^postgres(ql)?:\/\//.test(text)) return text
  if (text.startsWith('mysql:')) {
    throw new GatewayError('CONFIG_INVALID', {
      name,
      reason:
        'MySQL is not supported: use sqlite:PATH or postgres://USER:PASSWORD@HOST/DATABASE. To move in from new-api or one-api: tollgate import new-api mysql://…',
    })
  }
  throw new GatewayError('CONFIG_INVALID', {
    name,
    reason: 'must be sqlite:PATH or postgres://USER:PASSWORD@HOST/DATABASE',
  })
}

const SECRET_LENGTH_MIN = 16
export function secret(name: string, text: string): string {
  if (text !== '' && text.length < SECRET_LENGTH_MIN) {
    throw new GatewayError('CONFIG_INVALID', { name, reason: `needs at least ${SECRET_LENGTH_MIN} characters` })
  }
  return text
}

export const ROOT_PASSWORD_LENGTH = { min: 8, max: 128 }
export function rootPassword(name: string, text: string): string {
  const { min, max } = ROOT_PASSWORD_LENGTH
  if (text !== '' && (text.length < min || text.length > max)) {
    throw new GatewayError('CONFIG_INVALID', { name, reason: `must have ${min} to ${max} characters` })
  }
  return text
}

/** Returns the number of worker processes. 0 means one per CPU core. */
export function workers(name: string, text: string): number {
  return text === 'auto' ? 0 : wholeNumberSetting(1, 256)(name, text)
}

export function logLevel(name: string, text: string): string {
  const levels = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']
  return levels.includes(text) ? text : reject(name, text, `must be one of ${levels.join(', ')}`)
}

export function secondsOrOff(name: string, text: string): number {
  return text === 'off' ? 0 : wholeNumberSetting(0, 86_400)(name, text)
}

export function minutesOrOff(name: string, text: string): number {
  return text === 'off' ? 0 : wholeNumberSetting(0, 525_600)(name, text)
}

export function trustProxy(name: string, text: string): boolean | string[] {
  if (text === 'off' || text === 'false') return false
  if (text === 'on' || text === 'true') return true
  const entries = text.split(',').map((entry) => entry.trim())
  const invalid = entries.find((entry) => !ipaddr.isValid(entry) && !ipaddr.isValidCIDR(entry))
  return invalid === undefined
    ? entries
    : reject(name, invalid, 'must be off, on, or a comma list of addresses and ranges')
}

export function allowedHosts(name: string, text: string): AllowedHost[] {
  return text
    .split(',')
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '')
    .map((entry) => parseAllowedHost(entry) ?? reject(name, entry, 'must be a host, host:port, an address or a range'))
}

export function trueOrFalse(name: string, text: string): boolean {
  if (['true', 't', '1', 'on'].includes(text.toLowerCase())) return true
  if (['false', 'f', '0', 'off'].includes(text.toLowerCase())) return false
  return reject(name, text, 'must be true or false')
}

export function oneOfOrEmpty(allowed: readonly string[]) {
  return (name: string, text: string): string => {
    if (text !== '' && !allowed.includes(text)) reject(name, text, `must be one of ${allowed.join(', ')}, or empty`)
    return text
  }
}

/** Parses pairs such as `a:b,c:d`. */
export function pairs(name: string, text: string): Record<string, string> {
  const items = text.split(',').map((item) => item.trim())
  const split = items.filter(Boolean).map((item) => item.split(':').map((part) => part.trim()))
  const isPair = (pair: string[]): pair is [string, string] => pair.length === 2 && pair.every(Boolean)
  if (!split.every(isPair)) reject(name, text, 'must be pairs such as model:version, separated by commas')
  return Object.fromEntries(split.filter(isPair))
}

export function webAddressOrEmpty(name: string, text: string): string {
  return text === '' ? '' : webAddress(name, text)
}

/**
 * Parses headers such as `a=b,c=d`. Values are percent-encoded
 * (https://opentelemetry.io/docs/specs/otel/protocol/exporter/). Error messages omit the text, because it may be
 * secret.
 */
export function headerPairs(name: string, text: string): Record<string, string> {
  const headers: Record<string, string> = {}
  for (const item of text.split(',').map((part) => part.trim())) {
    if (item === '') continue
    const equals = item.indexOf('=')
    if (equals < 1) reject(name, '…', 'must be pairs such as name=value, separated by commas')
    try {
      headers[item.slice(0, equals).trim()] = decodeURIComponent(item.slice(equals + 1).trim())
    } catch {
      reject(name, '…', 'has a value that is not percent-encoded')
    }
  }
  return headers
}

export function webAddress(name: string, text: string): string {
  const protocol = URL.canParse(text) ? new URL(text).protocol : ''
  if (protocol !== 'http:' && protocol !== 'https:') reject(name, text, 'must be an http or https address')
  return text.replace(/\/+$/, '')
}
