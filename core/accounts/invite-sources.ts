import ipaddr from 'ipaddr.js'
import type { Knex } from 'knex'
import type { Secrets } from '../secrets.ts'

/** Where a new user came from. Absent: not known, as for a command at the database. */
export interface Origin {
  readonly address?: string | undefined
  /** A random id that the browser keeps. */
  readonly device?: string | undefined
}

/** One customer of a network has as many IPv6 addresses as there are below this prefix. */
const IPV6_BITS = 64

/** Digests of what an origin is known by. */
export function sourcesOf({ address, device }: Origin, { digest }: Pick<Secrets, 'digest'>): string[] {
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
 * Takes the one reward that each source can earn, in the caller's transaction. False if one of them was taken before; the
 * others are taken all the same. Two registrations at the same moment wait for each other at the primary key.
 */
export async function takeReward(trx: Knex.Transaction, sources: readonly string[], now: number): Promise<boolean> {
  if (sources.length === 0) return true
  // In one order: two transactions must not wait for each other.
  const rows = sources.toSorted().map((digest) => ({ digest, created_at: now }))
  const taken = await trx('invite_sources').insert(rows).onConflict('digest').ignore().returning('digest')
  return taken.length === sources.length
}
