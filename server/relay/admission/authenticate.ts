import type { IncomingHttpHeaders } from 'node:http'
import { ROLE, USER_STATUS } from '../../../core/actor.ts'
import type { ObjectOwner } from '../../../core/batches/rows.ts'
import { GatewayError } from '../../../core/errors.ts'
import type { Ready } from '../../../core/ready.ts'
import { isAddressAllowed } from '../../../core/tokens/addresses.ts'
import type { CallerDirectory, LiveToken, LiveUser } from '../../../core/tokens/directory.ts'
import { KEY_PREFIX, NEVER, TOKEN_STATUS } from '../../../core/tokens/token.ts'
import type { LocalToolkit } from '../../../core/toolkit.ts'

export interface Caller {
  readonly token: LiveToken
  readonly user: LiveUser
  /** Id of the only channel that an administrator's key may use. 0 means that all channels are allowed. */
  readonly pinnedChannelId: number
}

/** Returns the owner of the upstream objects that a caller may use. All keys of a member in a team share objects. */
export function objectOwnerOf({ user, token }: Pick<Caller, 'user' | 'token'>): ObjectOwner {
  return { userId: user.id, memberId: token.memberId }
}

/** Maximum characters of a key. Keys that the gateway creates have 48 characters. Imported keys may be longer. */
const SECRET_LENGTH_MAX = 128
const SOCKET_PROTOCOL = 'openai-insecure-api-key'

/**
 * Returns the API key, or '' if there is none. The client APIs send the key in different headers, subprotocols or query
 * parameters. `query` is the raw query string, in which Gemini's clients send `key`.
 */
export function apiKeyOf(headers: IncomingHttpHeaders, query: string): string {
  const protocols = headers['sec-websocket-protocol']
  if (protocols !== undefined) {
    const names = protocols.split(',').map((name) => name.trim())
    return withoutBearer(
      names.find((name) => name.startsWith(SOCKET_PROTOCOL))?.slice(SOCKET_PROTOCOL.length + 1) ?? protocols,
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
  // Fast path without a regular expression, because nearly every client sends this form.
  if (value.startsWith('Bearer sk-')) return value.slice('Bearer '.length).trim()
  return value.replace(/^Bearer\s+/i, '').trim()
}

/**
 * Returns the caller of a key. Without `address`, skips the key's list of allowed addresses. With `free`, accepts an
 * exhausted key. `now` is in unix seconds. Throws, or rejects with, TOKEN_*, USER_DISABLED, CHANNEL_PIN_FORBIDDEN,
 * CHANNEL_ID_INVALID. Unknown and deleted keys get the same error.
 */
export function authenticate(
  callers: Pick<CallerDirectory, 'findToken' | 'findUser'>,
  {
    key,
    address,
    now,
    free = false,
  }: { key: string; address?: string | undefined; now: number; free?: boolean | undefined },
): Ready<Caller> {
  if (key === '') throw new GatewayError('TOKEN_MISSING')
  const [secret, channel] = partsOf(key)
  if (secret.length > SECRET_LENGTH_MAX) throw new GatewayError('TOKEN_INVALID')
  const accept = (token: LiveToken, tokenSecret: string, pinned: string | undefined): Ready<Caller> => {
    const withUser = (user: LiveUser | undefined) =>
      recordRejectedKey(token, () => callerOf(token, user, { address, channel: pinned }))
    recordRejectedKey(token, () => checkToken(token, { secret: tokenSecret, now, free }))
    if (token.memberId !== 0) {
      return checkMember(callers, token)
        .then(() => callers.findUser(token.userId))
        .then(withUser)
    }
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
  const wholeKey = withoutPrefix(key)
  if (channel === undefined || wholeKey.length > SECRET_LENGTH_MAX) return bySecret()
  // Look up the whole key first: in an imported key, a hyphen may belong to the secret.
  const withWhole = (token: LiveToken | undefined) => (token ? accept(token, wholeKey, undefined) : bySecret())
  const token = callers.findToken(wholeKey)
  return token instanceof Promise ? token.then(withWhole) : withWhole(token)
}

/** Returns the caller of the key with the id `tokenId`. Throws like `authenticate`. */
export async function callerOfToken(
  callers: CallerDirectory,
  {
    tokenId,
    pinnedChannelId,
    address,
    now,
  }: { tokenId: number; pinnedChannelId: number; address: string; now: number },
): Promise<Caller> {
  const token = await callers.readToken(tokenId)
  if (!token) throw new GatewayError('TOKEN_INVALID')
  recordRejectedKey(token, () => checkToken(token, { secret: '', now, free: false }))
  if (token.memberId !== 0) await checkMember(callers, token)
  const user = await callers.findUser(token.userId)
  const channel = pinnedChannelId > 0 ? String(pinnedChannelId) : undefined
  return recordRejectedKey(token, () => callerOf(token, user, { address, channel }))
}

/** Rejects with TOKEN_INVALID or USER_DISABLED if the member who created the team's key is deleted or disabled. */
async function checkMember(callers: Pick<CallerDirectory, 'findUser'>, token: LiveToken): Promise<void> {
  const member = await callers.findUser(token.memberId)
  recordRejectedKey(token, () => {
    if (!member) throw new GatewayError('TOKEN_INVALID')
    if (member.status !== USER_STATUS.enabled) throw new GatewayError('USER_DISABLED')
  })
}

/** The rejected key of each error, so that the failure is recorded for the key's owner. */
const REJECTED_KEYS = new WeakMap<GatewayError, LiveToken>()

/** Returns the existing key whose check threw the error, or undefined if the error has another cause. */
export const rejectedKey = (error: unknown): LiveToken | undefined =>
  error instanceof GatewayError ? REJECTED_KEYS.get(error) : undefined

function recordRejectedKey<Value>(token: LiveToken, check: () => Value): Value {
  try {
    return check()
  } catch (error) {
    if (error instanceof GatewayError) REJECTED_KEYS.set(error, token)
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
  if (address !== undefined && !isAddressAllowed(token.addresses, address)) {
    throw new GatewayError('TOKEN_IP', { ip: address })
  }
  if (channel === undefined || channel === '') return { token, user, pinnedChannelId: 0 }
  if (user.role < ROLE.admin) throw new GatewayError('CHANNEL_PIN_FORBIDDEN')
  const pinnedChannelId = /^\d{1,9}$/.test(channel) ? Number(channel) : 0
  // No channel has the id 0, and `pinnedChannelId: 0` would allow every channel.
  if (pinnedChannelId === 0) throw new GatewayError('CHANNEL_ID_INVALID', { id: channel.slice(0, 20) })
  return { token, user, pinnedChannelId }
}

/** Calls `authenticate` with the current time. If the key has just expired, stores its new status in the database. */
export function identifyCaller(
  { callers, tokens }: Pick<LocalToolkit, 'callers' | 'tokens'>,
  { key, address, free }: { key: string; address?: string | undefined; free?: boolean | undefined },
): Ready<Caller> {
  const recordExpired = async (error: unknown): Promise<never> => {
    if (error instanceof GatewayError && error.code === 'TOKEN_EXPIRED' && error.params.id)
      await tokens.recordUnusable(Number(error.params.id))
    throw error
  }
  try {
    const caller = authenticate(callers, { key, address, free, now: Date.now() / 1000 })
    return caller instanceof Promise ? caller.catch(recordExpired) : caller
  } catch (error) {
    return recordExpired(error)
  }
}

/**
 * Returns the error for an exhausted key. The message shows only the first and last three characters of the key's
 * secret.
 */
export function exhaustedError(key: string): GatewayError {
  const [secret] = partsOf(key)
  return new GatewayError('TOKEN_EXHAUSTED', { key: `${KEY_PREFIX}${secret.slice(0, 3)}***${secret.slice(-3)}` })
}

/** Splits `sk-secret-channel`. The prefix and the channel are optional. */
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
  if (isExhausted && !free) throw exhaustedError(secret)
  if (status === TOKEN_STATUS.expired) throw new GatewayError('TOKEN_EXPIRED')
  // The id in the error tells `identifyCaller` to update the row, whose status is still `enabled`.
  if (expiredTime !== NEVER && expiredTime <= now) throw new GatewayError('TOKEN_EXPIRED', { id: token.id })
  if (status !== TOKEN_STATUS.enabled && !isExhausted) throw new GatewayError('TOKEN_DISABLED')
}
