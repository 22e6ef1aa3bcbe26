import { createPrivateKey, type KeyObject } from 'node:crypto'
import { SignJWT } from 'jose'
import type { LiveChannel } from '../../../../core/channels/routing/directory.ts'
import { parseObject } from '../../../../core/input.ts'
import { recordOf } from '../../../../core/records.ts'
import { numberOf, textOf } from '../../json.ts'
import { misconfigured } from '../plan-errors.ts'
import type { ProviderContext } from '../provider.ts'

const SCOPE = 'https://www.googleapis.com/auth/cloud-platform'
const GRANT = 'urn:ietf:params:oauth:grant-type:jwt-bearer'
const TOKEN_URI = 'https://oauth2.googleapis.com/token'
const ASSERTION_SECONDS = 3600
/** Time before an access token's expiry from which it is renewed, because requests take time to arrive. */
const MARGIN_MS = 5 * 60_000

export interface ServiceAccount {
  readonly projectId: string
  readonly email: string
  readonly keyId: string
  readonly privateKey: string
  readonly tokenUri: string
}

/**
 * Parses the JSON key of a service account. Returns undefined for an API key. Throws CHANNEL_MISCONFIGURED if a field
 * is missing.
 */
export function serviceAccountOf({ id, key }: Pick<LiveChannel, 'id' | 'key'>): ServiceAccount | undefined {
  if (!key.trim().startsWith('{')) return undefined
  const json = recordOf(parseObject(key))
  const field = (name: string) => textOf(json[name]) ?? misconfigured(id, `its service account key has no ${name}`)
  return {
    projectId: field('project_id'),
    email: field('client_email'),
    keyId: textOf(json.private_key_id) ?? '',
    privateKey: field('private_key').replaceAll('\\n', '\n'),
    tokenUri: textOf(json.token_uri) ?? TOKEN_URI,
  }
}

/** Returns the cache key of an account's access token. */
export function credentialKey({ id }: Pick<LiveChannel, 'id'>, { email, keyId }: ServiceAccount): string {
  return `vertex ${id} ${email} ${keyId}`
}

/**
 * Returns a cached or new access token. Throws CHANNEL_MISCONFIGURED if the key is invalid or rejected by the token
 * endpoint.
 * https://developers.google.com/identity/protocols/oauth2/service-account#httprest
 */
export function googleAccessToken(
  channel: Pick<LiveChannel, 'id'>,
  account: ServiceAccount,
  context: ProviderContext,
): Promise<string> {
  return context.credential(credentialKey(channel, account), async () => {
    const now = context.now()
    const assertion = await assertionOf(account, { id: channel.id, issuedAt: Math.floor(now / 1000) })
    const { status, body } = await context.call({
      url: account.tokenUri,
      headers: { 'content-type': 'application/x-www-form-urlencoded', accept: 'application/json' },
      body: new URLSearchParams({ grant_type: GRANT, assertion }).toString(),
    })
    const reply = recordOf(parseObject(body.toString('utf8')))
    const value = textOf(reply.access_token)
    if (status >= 500) throw new Error(`The token endpoint answered ${status}`)
    if (status !== 200 || !value) {
      const reason = textOf(reply.error_description) ?? textOf(reply.error) ?? `status ${status}`
      return misconfigured(channel.id, `the token endpoint refused its service account key: ${reason}`)
    }
    return { value, expiresAt: now + (numberOf(reply.expires_in) ?? ASSERTION_SECONDS) * 1000 - MARGIN_MS }
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
    // Do not report the parser's message, because it may quote the key.
    return misconfigured(id, 'the private_key of its service account key cannot be read')
  }
}
