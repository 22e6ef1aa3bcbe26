import { createHash } from 'node:crypto'
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import type { Identity } from '../../../core/accounts/identities.ts'
import { GatewayError } from '../../../core/errors.ts'
import type { Options } from '../../../core/options/options.ts'
import { OPTIONS } from '../../../core/options/registry.ts'
import { randomAlphanumerics } from '../../../core/secrets.ts'
import { named } from '../../named.ts'
import { Envelope, ok } from '../envelope.ts'
import type { ApiParts } from '../parts.ts'
import { describeRoutes } from '../route.ts'
import { callIdentityProvider, textOrNone, unusableReplyError } from './ask.ts'
import { callbackAddress, callbackRoutes, type ProviderReturn } from './callback.ts'
import { claimsOf, createDiscovery, type OidcServer } from './oidc-server.ts'
import { requireEnabled } from './sign-in.ts'
import { beginSignIn, InvitationQuery } from './state.ts'

/**
 * Path of the console page that passes code and state to `/api/oauth/oidc`. The URL of this page must be registered at
 * the provider.
 */
const CALLBACK_PATH = '/oauth/oidc'
/** Number of characters of the PKCE verifier. RFC 7636 requires 43 to 128. */
const VERIFIER_LENGTH = 64
const NONCE_LENGTH = 32

/** Routes for any OpenID Connect Core 1.0 provider: authorization code flow with PKCE. */
export const oidcRoutes: FastifyPluginAsyncTypebox<ApiParts> = async (app, parts) => {
  const anyone = describeRoutes('sign-in', 'anyone')
  const { toolkit } = parts
  const discover = createDiscovery()
  const currentServer = () => discover(toolkit.options.get(OPTIONS.OIDCIssuer))

  const schema = anyone('Starts a sign-in with OpenID Connect; data is the URL to open in the browser', {
    querystring: InvitationQuery,
    reply: Envelope(Type.String()),
    config: { critical: true, acts: true },
  })
  app.get('/api/oauth/oidc/start', schema, async (request, reply) => {
    requireEnabled(toolkit, 'oidc', OPTIONS.OIDCEnabled)
    const { authorizationEndpoint } = await currentServer()
    const oidc = { verifier: randomAlphanumerics(VERIFIER_LENGTH), nonce: randomAlphanumerics(NONCE_LENGTH) }
    const state = await beginSignIn(toolkit, request, reply, { aff: request.query.aff, oidc })
    const address = new URL(authorizationEndpoint)
    const parameters = {
      response_type: 'code',
      client_id: toolkit.options.get(OPTIONS.OIDCClientId),
      redirect_uri: callbackAddress(toolkit.options, request, CALLBACK_PATH),
      scope: toolkit.options.get(OPTIONS.OIDCScopes),
      state,
      nonce: oidc.nonce,
      code_challenge: createHash('sha256').update(oidc.verifier).digest('base64url'),
      code_challenge_method: 'S256',
    }
    for (const [name, value] of Object.entries(parameters)) address.searchParams.set(name, value)
    return ok(address.href)
  })

  const callback = callbackRoutes({
    provider: 'oidc',
    enabled: OPTIONS.OIDCEnabled,
    identify: async (_, providerReturn) => identityOf(toolkit.options, await currentServer(), providerReturn),
  })
  await app.register(named(callback), parts)
}

async function identityOf(
  options: Options,
  server: OidcServer,
  { oidc, ...providerReturn }: ProviderReturn,
): Promise<Identity> {
  // Without `oidc`, the state belongs to a sign-in with another provider.
  if (!oidc) throw new GatewayError('OAUTH_STATE')
  const idToken = await exchange(options, server, { ...providerReturn, verifier: oidc.verifier })
  const clientId = options.get(OPTIONS.OIDCClientId)
  const claims = await claimsOf(server, { idToken, clientId, nonce: oidc.nonce })
  return {
    provider: 'oidc',
    id: textOrNone(claims.sub) ?? '',
    name: textOrNone(claims.name) ?? textOrNone(claims.preferred_username),
    // Unverified addresses may belong to another person.
    email: claims.email_verified === true ? textOrNone(claims.email) : undefined,
  }
}

/** Exchanges a code for the ID token. The client secret is sent as the provider requires (RFC 6749 section 2.3.1). */
async function exchange(
  options: Options,
  server: OidcServer,
  { code, verifier, request }: ProviderReturn & { verifier: string },
): Promise<string> {
  const [id, secret] = [options.get(OPTIONS.OIDCClientId), options.get(OPTIONS.OIDCClientSecret)]
  const credentials = Buffer.from(`${encodeURIComponent(id)}:${encodeURIComponent(secret)}`).toString('base64')
  const redirect_uri = callbackAddress(options, request, CALLBACK_PATH)
  const form = { grant_type: 'authorization_code', code, redirect_uri, code_verifier: verifier }
  const answer = await callIdentityProvider('oidc', server.tokenEndpoint, {
    ...(server.secretInForm
      ? { form: { ...form, client_id: id, client_secret: secret } }
      : { form, headers: { authorization: `Basic ${credentials}` } }),
    hide: [credentials, secret, code, verifier],
  })
  const idToken = textOrNone(answer.id_token)
  if (idToken === undefined) throw unusableReplyError('oidc', 'no id_token')
  return idToken
}
