import ipaddr from 'ipaddr.js'
import type { Knex } from 'knex'
import type { Secrets } from '../secrets.ts'

/** The client from which a new user registered. Absent fields are unknown. Local commands have neither field. */
export interface RegistrationOrigin {
  readonly address?: string | undefined
  /** A random id stored by the browser. */
  readonly device?: string | undefined
}

/** Prefix length of IPv6 networks. The addresses of such a network usually belong to one customer. */
const IPV6_BITS = 64

/** Returns digests of the address and device of an origin. */
export function sourcesOf({ address, device }: RegistrationOrigin, { digest }: Pick<Secrets, 'digest'>): string[] {
  return [
    ...(address === undefined ? [] : [digest(`invite-address:${networkOf(address)}`)]),
    ...(device === undefined ? [] : [digest(`invite-device:${device}`)]),
  ]
}

function networkOf(address: string): string {
  if (!ipaddr.isValid(address)) return address
  const ip = ipaddr.process(address)
  return ip instanceof ipaddr.IPv6 ? ipaddr.IPv6.networkAddressFromCIDR(`${ip}/${IPV6_BITS}`).toString() : ip.toString()
}

/**
 * Records that the sources earned their reward, in the caller's transaction. Returns false if any of them had already
 * earned it. The primary key makes concurrent registrations wait for each other.
 */
export async function takeReward(trx: Knex.Transaction, sources: readonly string[], now: number): Promise<boolean> {
  if (sources.length === 0) return true
  // Insert in a fixed order, so that two transactions cannot deadlock.
  const rows = sources.toSorted().map((digest) => ({ digest, created_at: now }))
  const inserted = await trx('invite_sources').insert(rows).onConflict('digest').ignore().returning('digest')
  return inserted.length === sources.length
}
