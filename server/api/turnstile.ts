import type { FastifyInstance, FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { GatewayError } from '../../core/errors.ts'
import { OPTIONS } from '../../core/options/registry.ts'
import { outbound } from '../outbound.ts'
import { SESSION_COOKIE } from './access.ts'
import type { ApiParts } from './parts.ts'
import { setSessionCookie } from './session-cookie.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** Whether the visitor solved a bot check for this request. False while the option TurnstileCheckEnabled is off. */
    isHuman(): Promise<boolean>
  }
}

export const TurnstileQuery = {
  turnstile: Type.Optional(
    Type.String({
      maxLength: 4096,
      description: 'bot check token from the browser; ignored while the check is disabled',
    }),
  ),
}

/**
 * Error codes of Cloudflare for a wrong secret, which only the operator can fix:
 * https://developers.cloudflare.com/turnstile/get-started/server-side-validation/#error-codes.
 */
const OPERATOR_FAULTS: readonly unknown[] = ['missing-input-secret', 'invalid-input-secret']

/**
 * Checks with Cloudflare that visitors are human:
 * https://developers.cloudflare.com/turnstile/get-started/server-side-validation/. Applies to routes with `botCheck`,
 * while the option TurnstileCheckEnabled is on. Checks each session only once.
 */
export function checkBots(app: FastifyInstance, { toolkit, config }: Pick<ApiParts, 'toolkit' | 'config'>): void {
  const { options, sessions } = toolkit
  app.decorateRequest('isHuman', async () => false)

  app.addHook('onRequest', async (request, reply) => {
    if (!request.routeOptions.config.botCheck || !options.get(OPTIONS.TurnstileCheckEnabled)) return
    const oldSession = request.cookies[SESSION_COOKIE]
    if (oldSession !== undefined && (await sessions.data(oldSession))?.turnstile) {
      // The visitor is already verified. After too many wrong passwords, the sign-in verifies again by `isHuman`.
      request.isHuman = async () => responseOf(request) !== '' && isHuman(request)
      return
    }
    if (!(await isHuman(request))) throw new GatewayError('TURNSTILE_FAILED')
    request.isHuman = async () => true
    const session = await sessions.remember(oldSession, { turnstile: true })
    setSessionCookie(request, reply, session)
    // A sign-in reads this cookie, and replaces the session that it names.
    request.cookies[SESSION_COOKIE] = session
  })

  async function isHuman(request: FastifyRequest): Promise<boolean> {
    const { ip, id, log } = request
    const response = responseOf(request)
    if (!response) throw new GatewayError('TURNSTILE_MISSING')
    const secret = options.get(OPTIONS.TurnstileSecretKey)
    const form = { secret, response, remoteip: ip }
    const { json } = await outbound(`${config.services.turnstile}/turnstile/v0/siteverify`, { form }).catch((cause) => {
      throw new GatewayError('PROVIDER_UNREACHABLE', { provider: 'Turnstile' }, { cause })
    })
    const { success, 'error-codes': codes } = (json ?? {}) as { success?: unknown; 'error-codes'?: unknown }
    const faults = Array.isArray(codes) ? codes.filter((code) => OPERATOR_FAULTS.includes(code)) : []
    if (faults.length > 0) log.error({ requestId: id, faults }, 'Turnstile rejects the option TurnstileSecretKey')
    return success === true
  }
}

/** Returns the Turnstile response of the browser, or an empty text. */
function responseOf({ query }: FastifyRequest): string {
  const [response = ''] = [(query as { turnstile?: string | string[] }).turnstile].flat()
  return response
}
