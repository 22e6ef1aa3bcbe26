import type { FastifyReply, FastifyRequest } from 'fastify'
import type { SignInOrigin } from '../../core/accounts/sign-in-origins.ts'
import type { Toolkit } from '../../core/toolkit.ts'
import { addressKey } from './limits.ts'

export const DEVICE_COOKIE = 'device'
const YEAR_SECONDS = 365 * 24 * 3600
/** Browsers send the cookie only to the sign-in routes below these paths. */
const PATHS = ['/api/user/login', '/api/oauth']

/** Marks the browser as a device that has signed in to this account. See `core/accounts/devices.ts`. */
export function setDeviceCookie(
  { devices }: Pick<Toolkit, 'devices'>,
  request: FastifyRequest,
  reply: FastifyReply,
  userId: number,
): void {
  const value = devices.issue(userId)
  for (const path of PATHS) {
    reply.setCookie(DEVICE_COOKIE, value, {
      path,
      httpOnly: true,
      sameSite: 'strict',
      secure: request.protocol === 'https',
      maxAge: YEAR_SECONDS,
    })
  }
}

/** Returns the origin of a sign-in: the address, and whether this browser has already signed in as the user. */
export function signInOrigin(
  { devices }: Pick<Toolkit, 'devices'>,
  { ip, cookies }: FastifyRequest,
  userId: number,
): SignInOrigin {
  const isKnownDevice = devices.nameOf(cookies[DEVICE_COOKIE] ?? '', userId) !== undefined
  return { address: ip, network: addressKey(ip), isKnownDevice }
}
