import { isDeepStrictEqual } from 'node:util'
import { type Actor, ROLE } from '../../actor.ts'
import { GatewayError } from '../../errors.ts'
import type { Channel } from '../channel.ts'
import { parseSettings } from '../settings/settings.ts'
import { findAnyType } from '../types/types.ts'

/** The columns that decide where a channel's key is sent, and through which proxy. */
type KeyTarget = Pick<Channel, 'type' | 'base_url' | 'setting'>

/**
 * Throws CHANNEL_KEY_AGAIN if an edit would send the stored key to another target and does not repeat the key.
 * Otherwise, users who may edit the channel could redirect the key to learn it. Root is exempt, because root can read
 * the database. Root's management keys are not exempt, because their holders cannot read the database.
 */
export function requireKeyAgain(
  actor: Actor,
  { id, key, ...stored }: KeyTarget & { id: number; key: string },
  edited: KeyTarget & { key: string },
): void {
  const isExempt = actor.role >= ROLE.root && actor.keyId === undefined
  if (isExempt || key === '' || edited.key.trim() !== '') return
  const fields = redirectingFields(stored, edited)
  if (fields.length > 0) throw new GatewayError('CHANNEL_KEY_AGAIN', { id, fields: fields.join(', ') })
}

/** Returns the API names of the fields whose changes would send a key elsewhere or through another proxy. */
function redirectingFields(before: KeyTarget, after: KeyTarget): string[] {
  const [from, to] = [targetOf(before), targetOf(after)]
  return Object.keys(from).filter((field) => !isDeepStrictEqual(from[field], to[field]))
}

/**
 * Returns the values that determine where a request goes. Includes the overrides of headers and parameters, because an
 * upstream that is a proxy may choose the target by them.
 */
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
