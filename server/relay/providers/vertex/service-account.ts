import { createPrivateKey, type KeyObject } from 'node:crypto'
import { SignJWT } from 'jose'
import type { LiveChannel } from '../../../../core/channels/directory.ts'
import { GatewayError } from '../../../../core/errors.ts'
import { numberOf, objectOf, parseObject, textOf } from '../../json.ts'
import type { Means } from '../provider.ts'

const SCOPE = 'https://www.googleapis.com/auth/cloud-platform'
const GRANT = 'urn:ietf:params:oauth:grant-type:jwt-bearer'
const TOKEN_URI = 'https://oauth2.googleapis.com/token'
const ASSERTION_SECONDS = 3600
/** A token is not used for as long before it ends: a request may take its time on the way. */
const MARGIN_MS = 5 * 60_000

/** The key of a service account, as Google hands it out. */
export interface ServiceAccount {
  readonly projectId: string
  readonly email: string
  readonly keyId: string
  readonly privateKey: string
  readonly tokenUri: string
}

/**
 * The account whose JSON key a channel has; undefined: the key is no JSON, so an API key. Throws CHANNEL_MISCONFIGURED for a
 * JSON that lacks something.
 */
export function serviceAccountOf({ id, key }: Pick<LiveChannel, 'id' | 'key'>): ServiceAccount | undefined {
  if (!key.trim().startsWith('{')) return undefined
  const json = objectOf(parseObject(key))
  const field = (name: string) => textOf(json[name]) ?? misconfigured(id, `its service account key has no ${name}`)
  return {
    projectId: field('project_id'),
    email: field('client_email'),
    keyId: textOf(json.private_key_id) ?? '',
    privateKey: field('private_key').replaceAll('\\n', '\n'),
    tokenUri: textOf(json.token_uri) ?? TOKEN_URI,
  }
}

/** The name under which the access token of a channel's account is kept. */
export function credentialKey({ id }: Pick<LiveChannel, 'id'>, { email, keyId }: ServiceAccount): string {
  return `vertex ${id} ${email} ${keyId}`
}

/**
 * An access token, asked for when the last one nears its end. Throws CHANNEL_MISCONFIGURED when the key is none, or Google
 * refuses it. https://developers.google.com/identity/protocols/oauth2/service-account#httprest
 */
export function accessToken(channel: Pick<LiveChannel, 'id'>, account: ServiceAccount, means: Means): Promise<string> {
  return means.credential(credentialKey(channel, account), async () => {
    const now = means.now()
    const assertion = await assertionOf(account, { id: channel.id, issuedAt: Math.floor(now / 1000) })
    const { status, body } = await means.call({
      url: account.tokenUri,
      headers: { 'content-type': 'application/x-www-form-urlencoded', accept: 'application/json' },
      body: new URLSearchParams({ grant_type: GRANT, assertion }).toString(),
    })
    const answer = objectOf(parseObject(body.toString('utf8')))
    const value = textOf(answer.access_token)
    if (status >= 500) throw new Error(`The token endpoint answered ${status}`)
    if (status !== 200 || !value) {
      const why = textOf(answer.error_description) ?? textOf(answer.error) ?? `status ${status}`
      return misconfigured(channel.id, `the token endpoint refused its service account key: ${why}`)
    }
    return { value, expiresAt: now + (numberOf(answer.expires_in) ?? ASSERTION_SECONDS) * 1000 - MARGIN_MS }
  })
}

function assertionOf(account: ServiceAccount, { id, issuedAt }: { id: number; issuedAt: number }): Promise<string> {
  return new SignJWT({ scope: SCOPE })
    .setProtectedHeader({ alg: 'RS256', typ: 'JWT', ...(account.keyId && { kid: account.keyId }) })
    .setIssuer(account.email)
    .setAudience(account.tokenUri)
    .setIssuedAt(issuedAt)
    .setExpirationTime(issuedAt + ASSERTION_SECONDS)
    .sign(privateKeyOf(account, id))
}

function privateKeyOf({ privateKey }: ServiceAccount, id: number): KeyObject {
  try {
    return createPrivateKey(privateKey)
  } catch {
    // What the parser has to say might quote the key.
    return misconfigured(id, 'the private_key of its service account key cannot be read')
  }
}

export function misconfigured(id: number, reason: string): never {
  throw new GatewayError('CHANNEL_MISCONFIGURED', { id, reason })
}
