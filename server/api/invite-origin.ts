import type { FastifyReply, FastifyRequest } from 'fastify'
import type { RegistrationOrigin } from '../../core/accounts/invite-sources.ts'
import { randomHex } from '../../core/secrets.ts'

const COOKIE = 'tollgate-device'
const ID_LENGTH = 32
/** Maximum lifetime that browsers allow for cookies: https://developer.chrome.com/blog/cookie-max-age-expires */
const COOKIE_SECONDS = 400 * 24 * 3600

/**
 * Returns the address and the browser id of a new user. Sets a cookie with the browser id. With this cookie, the
 * gateway detects a second account that is created in the same browser.
 */
export function originOf(request: FastifyRequest, reply: FastifyReply): RegistrationOrigin {
  const cookieId = request.cookies[COOKIE]
  const device = cookieId !== undefined && /^[0-9a-f]{32}$/.test(cookieId) ? cookieId : randomHex(ID_LENGTH)
  const secure = request.protocol === 'https'
  reply.setCookie(COOKIE, device, { path: '/', httpOnly: true, sameSite: 'strict', secure, maxAge: COOKIE_SECONDS })
  return { address: request.ip, device }
}
