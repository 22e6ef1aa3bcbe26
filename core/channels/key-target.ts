import { isDeepStrictEqual } from 'node:util'
import { type Actor, ROLE } from '../actor.ts'
import { GatewayError } from '../errors.ts'
import type { Channel } from './channel.ts'
import { parseSettings } from './settings.ts'
import { findAnyType } from './types.ts'

/** The columns that decide where a channel's key goes and what carries it. */
export type KeyTarget = Pick<Channel, 'type' | 'base_url' | 'setting'>

/**
 * Keeps a stored key from users who may edit the channel and not read the key: it goes to another address only if the editor gives it
 * again. Root may read the database anyway. Throws CHANNEL_KEY_AGAIN.
 */
export function requireKeyAgain(
  actor: Actor,
  { id, key, ...stored }: KeyTarget & { id: number; key: string },
  edited: KeyTarget & { key: string },
): void {
  if (actor.role >= ROLE.root || key === '' || edited.key.trim() !== '') return
  const fields = redirectingFields(stored, edited)
  if (fields.length > 0) throw new GatewayError('CHANNEL_KEY_AGAIN', { id, fields: fields.join(', ') })
}

/** The fields that would take a key elsewhere, or have something else carry it, by the names that the API gives them. */
export function redirectingFields(before: KeyTarget, after: KeyTarget): string[] {
  const [from, to] = [targetOf(before), targetOf(after)]
  return Object.keys(from).filter((field) => !isDeepStrictEqual(from[field], to[field]))
}

/** Headers and parameters count whole: some upstreams are proxies, which read from them where a request goes on to. */
function targetOf({ type, base_url, setting }: KeyTarget): Record<string, unknown> {
  const { proxy, headerOverride, paramOverride } = parseSettings(setting)
  return {
    type,
    base_url: base_url || addressOf(type),
    'setting.proxy': proxy,
    'setting.header_override': headerOverride,
    'setting.param_override': paramOverride,
  }
}

function addressOf(number: number): string {
  const type = findAnyType(number)
  return type && 'baseUrl' in type ? type.baseUrl : ''
}
