import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Toolkit } from '../../core/toolkit.ts'

export const DEVICE_COOKIE = 'device'
const YEAR_SECONDS = 365 * 24 * 3600

/** Marks a browser as one that an account was signed in with: see `core/accounts/devices.ts`. Only the sign-in gets it back. */
export function setDeviceCookie(
  { devices }: Pick<Toolkit, 'devices'>,
  request: FastifyRequest,
  reply: FastifyReply,
  userId: number,
): void {
  reply.setCookie(DEVICE_COOKIE, devices.issue(userId), {
    path: '/api/user/login',
    httpOnly: true,
    sameSite: 'strict',
    secure: request.protocol === 'https',
    maxAge: YEAR_SECONDS,
  })
}
