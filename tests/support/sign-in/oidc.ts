import { createHash } from 'node:crypto'
import { type CryptoKey, exportJWK, generateKeyPair, type JWTPayload, SignJWT, UnsecuredJWT } from 'jose'
import { type Exchange, sendJson } from '../hand-made-upstream.ts'
import { formOf, type StandIn, startStandIn, tickets } from './stand-in.ts'

/** Contains characters that must be encoded for Basic credentials. */
export const OIDC_CLIENT = { id: 'tollgate:app', secret: 'oidc secret+0123456789/%' }

/** Defects of the next ID tokens. */
export interface Deviation {
  claims?: JWTPayload
  without?: string
  signedBy?: 'another key' | 'no key' | 'the client secret'
}

export interface OidcProvider extends StandIn {
  /** Authorizes the sign-in at `address`. Returns the callback's parameters. */
  allow(address: string, claims: JWTPayload): { code: string; state: string }
  /** Sets the defects of tokens; `discovery` is the discovery document. */
  deviate(deviation: Deviation): void
  discovery: Record<string, unknown>
  /** Signs further tokens with another key, which is published. */
  rotateKeys(): Promise<void>
}

interface Grant {
  claims: JWTPayload
  nonce: string
  challenge: string
  redirectUri: string
}

/** Generated once per file, because generating primes is slow. */
const PAIRS = Promise.all([generateKeyPair('RS256'), generateKeyPair('RS256'), generateKeyPair('RS256')])

/** Starts an OpenID Connect provider with real keys. It validates client, code, verifier and callback address; tests can add defects. */
export async function startOidc(): Promise<OidcProvider> {
  const codes = tickets<Grant>()
  const [own, other, next] = await PAIRS
  let keys = own
  let kid = 'key-1'
  let deviation: Deviation = {}
  const standIn = await startStandIn({
    'GET /.well-known/openid-configuration': (exchange) => sendJson(exchange, provider.discovery),
    'GET /keys': async (exchange) =>
      sendJson(exchange, { keys: [{ ...(await exportJWK(keys.publicKey)), kid, alg: 'RS256', use: 'sig' }] }),
    'POST /token': async (exchange) => {
      if (!isClient(exchange, provider.discovery)) return sendJson(exchange, { error: 'invalid_client' }, 401)
      const { grant_type, code, code_verifier = '', redirect_uri } = formOf(exchange)
      const grant = codes.take(code)
      const challenge = createHash('sha256').update(code_verifier).digest('base64url')
      const fits = grant?.challenge === challenge && grant.redirectUri === redirect_uri
      if (!grant || !fits || grant_type !== 'authorization_code') {
        return sendJson(exchange, { error: 'invalid_grant', error_description: 'Not this code' }, 400)
      }
      const id_token = await sign({ ...grant.claims, nonce: grant.nonce })
      sendJson(exchange, { access_token: 'opaque', token_type: 'Bearer', id_token })
    },
  })

  async function sign(claims: JWTPayload): Promise<string> {
    const now = Math.floor(Date.now() / 1000)
    const whole = { iss: standIn.url, aud: OIDC_CLIENT.id, iat: now, exp: now + 300, ...claims, ...deviation.claims }
    const kept = Object.fromEntries(Object.entries(whole).filter(([name]) => name !== deviation.without))
    if (deviation.signedBy === 'no key') return new UnsecuredJWT(kept).encode()
    const signed = (key: CryptoKey | Uint8Array, alg: string) =>
      new SignJWT(kept).setProtectedHeader({ alg, kid }).sign(key)
    if (deviation.signedBy === 'the client secret') return signed(Buffer.from(OIDC_CLIENT.secret.padEnd(32)), 'HS256')
    return signed((deviation.signedBy ? other : keys).privateKey, 'RS256')
  }

  const provider: OidcProvider = {
    ...standIn,
    discovery: {
      issuer: standIn.url,
      authorization_endpoint: `${standIn.url}/authorize?tenant=a`,
      token_endpoint: `${standIn.url}/token`,
      jwks_uri: `${standIn.url}/keys`,
    },
    allow(address, claims) {
      const { origin, pathname, searchParams } = new URL(address)
      const params = Object.fromEntries(searchParams)
      const { response_type, client_id, tenant, code_challenge_method } = params
      const right = { response_type: 'code', client_id: OIDC_CLIENT.id, tenant: 'a', code_challenge_method: 'S256' }
      const sent = { response_type, client_id, tenant, code_challenge_method }
      if (origin + pathname !== `${standIn.url}/authorize` || JSON.stringify(sent) !== JSON.stringify(right)) {
        throw new Error(`The provider shows an error page: ${address}`)
      }
      const { nonce = '', code_challenge: challenge = '', redirect_uri: redirectUri = '', state = '' } = params
      return { code: codes.issue({ claims, nonce, challenge, redirectUri }), state }
    },
    deviate(next) {
      deviation = next
    },
    async rotateKeys() {
      keys = next
      kid = 'key-2'
    },
  }
  return provider
}

/** RFC 6749 section 2.3.1: id and secret are form-encoded, then Basic; or in the form, if only that is supported. */
function isClient(exchange: Exchange, discovery: Record<string, unknown>): boolean {
  const methods = discovery.token_endpoint_auth_methods_supported
  const { authorization = '' } = exchange.headers
  const { client_id, client_secret } = formOf(exchange)
  if (Array.isArray(methods) && !methods.includes('client_secret_basic')) {
    return authorization === '' && client_id === OIDC_CLIENT.id && client_secret === OIDC_CLIENT.secret
  }
  const [id = '', secret = ''] = Buffer.from(authorization.replace(/^Basic /, ''), 'base64')
    .toString()
    .split(':')
  const sent = decodeURIComponent(id) === OIDC_CLIENT.id && decodeURIComponent(secret) === OIDC_CLIENT.secret
  return sent && client_secret === undefined
}
