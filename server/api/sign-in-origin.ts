import type { FastifyRequest } from 'fastify'
import type { SignInOrigin } from '../../core/accounts/sign-in-origins.ts'
import type { Toolkit } from '../../core/toolkit.ts'
import { DEVICE_COOKIE } from './device-cookie.ts'
import { addressKey } from './limits.ts'

/** Returns the origin of a sign-in: the address, and whether this browser has already signed in as the user. */
export function signInOrigin(
  { devices }: Pick<Toolkit, 'devices'>,
  { ip, cookies }: FastifyRequest,
  userId: number,
): SignInOrigin {
  const isKnownDevice = devices.nameOf(cookies[DEVICE_COOKIE] ?? '', userId) !== undefined
  return { address: ip, network: addressKey(ip), isKnownDevice }
}
