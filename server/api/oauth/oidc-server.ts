import { createLocalJWKSet, type JSONWebKeySet, type JWTPayload, jwtVerify } from 'jose'
import { errorMessage } from '../../../core/error-parts.ts'
import { sameSecret } from '../../../core/secrets.ts'
import { callIdentityProvider, type ProviderReply, textOrNone, unusableReplyError } from './ask.ts'

/** Metadata of an OpenID Connect provider (OpenID Connect Discovery 1.0, section 3). */
export interface OidcServer {
  /** The issuer, spelled as in the provider's tokens. */
  issuer: string
  authorizationEndpoint: string
  tokenEndpoint: string
  keysAddress: string
  /** Whether the form must contain the client secret, because the provider does not accept an Authorization header. */
  secretInForm: boolean
}

const CACHE_MS = 5 * 60_000

/** Returns a function that fetches a provider's metadata and caches it for five minutes. Throws PROVIDER_*. */
export function createDiscovery(now: () => number = Date.now): (issuer: string) => Promise<OidcServer> {
  let cached: { issuer: string; until: number; server: OidcServer } | undefined
  return async (issuer) => {
    if (cached?.issuer === issuer && cached.until > now()) return cached.server
    const server = serverOf(
      issuer,
      await callIdentityProvider('oidc', `${issuer}/.well-known/openid-configuration`, { hide: [] }),
    )
    cached = { issuer, until: now() + CACHE_MS, server }
    return server
  }
}

function serverOf(address: string, document: ProviderReply): OidcServer {
  const issuer = textOrNone(document.issuer) ?? ''
  // The option has no trailing slash, but the issuers of some providers have one.
  if (issuer.replace(/\/+$/, '') !== address)
    throw unusableReplyError('oidc', 'the discovery document is of another issuer')
  const methods = document.token_endpoint_auth_methods_supported
  const supports = (method: string) => Array.isArray(methods) && methods.includes(method)
  return {
    issuer,
    authorizationEndpoint: endpoint(document, 'authorization_endpoint', issuer),
    tokenEndpoint: endpoint(document, 'token_endpoint', issuer),
    keysAddress: endpoint(document, 'jwks_uri', issuer),
    secretInForm: supports('client_secret_post') && !supports('client_secret_basic'),
  }
}

/**
 * Returns an endpoint's URL. Throws PROVIDER_ANSWER if it is missing, or if it uses plain HTTP although the issuer uses
 * TLS.
 */
function endpoint(document: ProviderReply, name: string, issuer: string): string {
  const address = textOrNone(document[name]) ?? ''
  const protocol = URL.canParse(address) ? new URL(address).protocol : ''
  if (protocol === 'https:' || (protocol === 'http:' && issuer.startsWith('http:'))) return address
  throw unusableReplyError('oidc', `the discovery document has no ${name}`)
}

/**
 * Accepted signature algorithms. Other algorithms do not prove that the provider signed: `none` has no signature, and
 * the rest use a shared secret.
 */
const ALGORITHMS = ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512', 'EdDSA', 'Ed25519']
const CLOCK_TOLERANCE_SECONDS = 60

/**
 * Returns the claims of an ID token, after the checks of OpenID Connect Core 1.0 section 3.1.3.7. Throws
 * PROVIDER_ANSWER.
 */
export async function claimsOf(
  server: OidcServer,
  { idToken, clientId, nonce }: { idToken: string; clientId: string; nonce: string },
): Promise<JWTPayload> {
  // Fetch the keys each time, because a provider may change its keys at any moment, and sign-ins are rare.
  const keys = await callIdentityProvider('oidc', server.keysAddress, { hide: [] })
  try {
    const { payload } = await jwtVerify(idToken, createLocalJWKSet(keys as unknown as JSONWebKeySet), {
      issuer: server.issuer,
      audience: clientId,
      algorithms: ALGORITHMS,
      requiredClaims: ['sub', 'exp', 'iat', 'nonce'],
      clockTolerance: CLOCK_TOLERANCE_SECONDS,
    })
    if (typeof payload.nonce !== 'string' || !sameSecret(payload.nonce, nonce)) throw new Error('wrong nonce')
    if (payload.azp !== undefined && payload.azp !== clientId) throw new Error('made for another client')
    return payload
  } catch (cause) {
    throw unusableReplyError('oidc', errorMessage(cause), cause)
  }
}
