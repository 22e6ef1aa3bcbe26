import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import type { Identity } from '../../../core/accounts/identities.ts'
import { type IdentityProvider, providerInfo } from '../../../core/accounts/providers.ts'
import { User } from '../../../core/accounts/schema.ts'
import type { Options } from '../../../core/options/options.ts'
import { OPTIONS } from '../../../core/options/registry.ts'
import type { Option } from '../../../core/options/rows.ts'
import type { SessionData } from '../../../core/sessions.ts'
import { requireUserHeader, SESSION_COOKIE, sessionUser } from '../access.ts'
import { requireUserPresent } from '../current-password.ts'
import { Done, Envelope } from '../envelope.ts'
import type { ApiParts } from '../parts.ts'
import { providerRefusal, sanitizeReason } from './ask.ts'
import { requireCode, requireEnabled, signInBrowser } from './sign-in.ts'
import { takeSignIn } from './state.ts'

const text = (maxLength: number) => Type.Optional(Type.String({ maxLength }))
const Callback = Type.Object({ code: text(4096), state: text(256), error: text(4096), error_description: text(4096) })
/** The reply if an account was bound to the signed-in user. The web client recognizes the message. */
const BOUND = { success: true, message: 'bind' } as const

/** Data of the browser's return from an identity provider. `oidc` was stored at the start of the sign-in. */
export interface ProviderReturn extends Pick<SessionData, 'oidc'> {
  code: string
  request: FastifyRequest
}

interface CodeProvider {
  provider: IdentityProvider
  enabled: Option<boolean>
  /** Exchanges the code for the identity of the user. Throws PROVIDER_*. */
  identify(parts: ApiParts, providerReturn: ProviderReturn): Promise<Identity>
}

/**
 * Returns the route to which an identity provider sends the browser with a code (RFC 6749 section 4.1). The state
 * proves that this browser began the sign-in. Without this proof, another site could sign the browser in to an account
 * of the attacker.
 */
export function callbackRoutes({ provider, enabled, identify }: CodeProvider): FastifyPluginAsyncTypebox<ApiParts> {
  return async (app, parts) => {
    const { toolkit } = parts
    const schema = {
      tags: ['sign-in'],
      summary: `Signs in with ${providerInfo(provider).name}, or binds the account if already signed in (message: bind)`,
      querystring: Callback,
      response: {
        200: Envelope(User),
        401: { description: 'The browser is signed in, and the user header is missing or wrong', ...Done },
        403: {
          description: 'The sign-in did not start in this browser, or the request is from a page of another site',
          ...Done,
        },
      },
    }
    const config = { access: 'anyone', critical: true, acts: true } as const
    app.get(`/api/oauth/${provider}`, { config, schema }, async (request, reply) => {
      const { code = '', state = '', error = '', error_description = '' } = request.query
      // Users who decline at the provider return without a code.
      if (error !== '') throw providerRefusal(provider, sanitizeReason(error_description) || sanitizeReason(error))
      const signInData = await takeSignIn(toolkit, request, state)
      requireEnabled(toolkit, provider, enabled)
      requireCode(code)
      const user = await sessionUser(toolkit, request)
      // Check the user header before binding, because another site may have replaced the session cookie.
      if (user) requireUserHeader(request, user)
      const identity = await identify(parts, { ...signInData, code, request })
      if (user) {
        await requireUserPresent(toolkit, request)
        await toolkit.identities.bind(user, identity)
        return BOUND
      }
      const session = await toolkit.sessions.data(request.cookies[SESSION_COOKIE] ?? '')
      return signInBrowser(toolkit, request, reply, identity, { inviteCode: session?.aff })
    })
  }
}

/** Returns a public URL of this gateway. The same URL must be registered at the identity provider. */
export function callbackAddress(options: Options, { protocol, host }: FastifyRequest, path: string): string {
  return (options.get(OPTIONS.ServerAddress) || `${protocol}://${host}`) + path
}
