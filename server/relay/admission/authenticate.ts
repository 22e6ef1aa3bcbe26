import type { IncomingHttpHeaders } from 'node:http'
import { ROLE, USER_STATUS } from '../../../core/actor.ts'
import { GatewayError } from '../../../core/errors.ts'
import type { Ready } from '../../../core/ready.ts'
import { addressAllowed } from '../../../core/tokens/addresses.ts'
import type { CallerDirectory, LiveToken, LiveUser } from '../../../core/tokens/directory.ts'
import { KEY_PREFIX, NEVER, TOKEN_STATUS } from '../../../core/tokens/token.ts'
import type { LocalToolkit } from '../../../core/toolkit.ts'

export interface Caller {
  readonly token: LiveToken
  readonly user: LiveUser
  /** The channel that an administrator's key names, or 0. */
  readonly pinnedChannelId: number
}

/** Keys that we make have 48 characters; imported ones may differ, but what is longer is remembered by nobody. */
const SECRET_LENGTH_MAX = 128
const SOCKET_PROTOCOL = 'openai-insecure-api-key'

/**
 * The key, from wherever clients of the several APIs put it; '' when there is none. `query` is the raw query string:
 * Gemini's clients send `key` there.
 */
export function keyOf(headers: IncomingHttpHeaders, query: string): string {
  const protocols = headers['sec-websocket-protocol']
  if (protocols !== undefined) {
    const named = protocols.split(',').map((item) => item.trim())
    return withoutBearer(
      named.find((item) => item.startsWith(SOCKET_PROTOCOL))?.slice(SOCKET_PROTOCOL.length + 1) ?? protocols,
    )
  }
  const authorization = withoutBearer(headers.authorization ?? '')
  if (authorization !== '' && authorization !== 'midjourney-proxy') return authorization
  for (const name of ['x-api-key', 'x-goog-api-key', 'api-key', 'mj-api-secret']) {
    const value = headers[name]
    if (typeof value === 'string' && value !== '') return withoutBearer(value)
  }
  return query.includes('key=') ? (new URLSearchParams(query).get('key') ?? '') : ''
}

function withoutBearer(value: string): string {
  // Nearly every client writes it so: no expression is run.
  if (value.startsWith('Bearer sk-')) return value.slice('Bearer '.length).trim()
  return value.replace(/^Bearer\s+/i, '').trim()
}

/**
 * Whose key it is. Without an address the key's allow list is not asked; with `free` a key that has nothing left will do. Throws
 * TOKEN_* and USER_DISABLED, or rejects with them; an unknown key and a deleted one are told apart by nobody.
 */
export function authenticate(
  callers: CallerDirectory,
  { key, address, now, free = false }: { key: string; address?: string; now: number; free?: boolean },
): Ready<Caller> {
  if (key === '') throw new GatewayError('TOKEN_MISSING')
  const [secret, channel] = partsOf(key)
  if (secret.length > SECRET_LENGTH_MAX) throw new GatewayError('TOKEN_INVALID')
  const accept = (token: LiveToken, named: string, pinned: string | undefined): Ready<Caller> => {
    const withUser = (user: LiveUser | undefined) =>
      naming(token, () => callerOf(token, user, { address, channel: pinned }))
    naming(token, () => checkToken(token, { secret: named, now, free }))
    const user = callers.findUser(token.userId)
    return user instanceof Promise ? user.then(withUser) : withUser(user)
  }
  const bySecret = (): Ready<Caller> => {
    const withToken = (token: LiveToken | undefined): Ready<Caller> => {
      if (!token) throw new GatewayError('TOKEN_INVALID')
      return accept(token, secret, channel)
    }
    const token = callers.findToken(secret)
    return token instanceof Promise ? token.then(withToken) : withToken(token)
  }
  const whole = withoutPrefix(key)
  if (channel === undefined || whole.length > SECRET_LENGTH_MAX) return bySecret()
  // Keys that were imported may have hyphens of their own.
  const withWhole = (token: LiveToken | undefined) => (token ? accept(token, whole, undefined) : bySecret())
  const token = callers.findToken(whole)
  return token instanceof Promise ? token.then(withWhole) : withWhole(token)
}

/** Whose key was rejected, by the rejection: its owner finds the failure on record. */
const REJECTED = new WeakMap<GatewayError, LiveToken>()

/** The key that a rejection was about, if it is one that exists. */
export const rejectedKey = (error: unknown): LiveToken | undefined =>
  error instanceof GatewayError ? REJECTED.get(error) : undefined

function naming<Value>(token: LiveToken, check: () => Value): Value {
  try {
    return check()
  } catch (error) {
    if (error instanceof GatewayError) REJECTED.set(error, token)
    throw error
  }
}

function callerOf(
  token: LiveToken,
  user: LiveUser | undefined,
  { address, channel }: { address: string | undefined; channel: string | undefined },
): Caller {
  if (!user) throw new GatewayError('TOKEN_INVALID')
  if (user.status !== USER_STATUS.enabled) throw new GatewayError('USER_DISABLED')
  if (address !== undefined && !addressAllowed(token.addresses, address)) {
    throw new GatewayError('TOKEN_IP', { ip: address })
  }
  if (channel === undefined || channel === '') return { token, user, pinnedChannelId: 0 }
  if (user.role < ROLE.admin) throw new GatewayError('CHANNEL_PIN_FORBIDDEN')
  if (!/^\d{1,9}$/.test(channel)) throw new GatewayError('CHANNEL_ID_INVALID', { id: channel.slice(0, 20) })
  return { token, user, pinnedChannelId: Number(channel) }
}

/** Whose key it is, as `authenticate` says, on the clock of now. A key that is found expired is marked so. */
export function identify(
  { callers, tokens }: Pick<LocalToolkit, 'callers' | 'tokens'>,
  asked: { key: string; address?: string; free?: boolean },
): Ready<Caller> {
  const recordExpired = async (error: unknown): Promise<never> => {
    // The row still says enabled: whoever looks at it should read what a call found.
    if (error instanceof GatewayError && error.code === 'TOKEN_EXPIRED' && error.params.id)
      await tokens.recordUnusable(Number(error.params.id))
    throw error
  }
  try {
    const caller = authenticate(callers, { ...asked, now: Date.now() / 1000 })
    return caller instanceof Promise ? caller.catch(recordExpired) : caller
  } catch (error) {
    return recordExpired(error)
  }
}

/** The refusal of a key that has nothing left. It shows the key's ends alone. */
export function exhausted(key: string): GatewayError {
  const [secret] = partsOf(key)
  return new GatewayError('TOKEN_EXHAUSTED', { key: `${KEY_PREFIX}${secret.slice(0, 3)}***${secret.slice(-3)}` })
}

/** `sk-secret-channel`: the prefix and the channel may be left out. */
function partsOf(key: string): [secret: string, channel: string | undefined] {
  const [secret = '', channel] = withoutPrefix(key).split('-')
  return [secret, channel]
}

function withoutPrefix(key: string): string {
  return key.startsWith(KEY_PREFIX) ? key.slice(KEY_PREFIX.length) : key
}

function checkToken(token: LiveToken, { secret, now, free }: { secret: string; now: number; free: boolean }): void {
  const { status, expiredTime } = token
  const isExhausted = status === TOKEN_STATUS.exhausted
  if (isExhausted && !free) throw exhausted(secret)
  if (status === TOKEN_STATUS.expired) throw new GatewayError('TOKEN_EXPIRED')
  // With the id: the row does not say so yet.
  if (expiredTime !== NEVER && expiredTime <= now) throw new GatewayError('TOKEN_EXPIRED', { id: token.id })
  if (status !== TOKEN_STATUS.enabled && !isExhausted) throw new GatewayError('TOKEN_DISABLED')
}
