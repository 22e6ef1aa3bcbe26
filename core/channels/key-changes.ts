import { GatewayError } from '../errors.ts'
import type { Secrets } from '../secrets.ts'
import { CHANNEL_STATUS, type Channel } from './channel.ts'
import { tidyKeys } from './check.ts'
import { keyDigest } from './key-ring.ts'
import { splitKeys } from './keys.ts'
import { onlyOf, setAsideIn, withSetAside } from './other-info.ts'
import { parseSettings } from './settings.ts'

type Stored = Pick<Channel, 'status' | 'setting' | 'other_info'> & { key: string }

export interface KeyEdit {
  readonly key?: string | null | undefined
  readonly setting?: string | undefined
  readonly status?: number | null | undefined
  /** Nothing else is edited. */
  readonly statusAlone: boolean
}

/**
 * What an edit does to a channel's keys and to those that are set aside. The latter are forgotten with their keys, when the
 * channel is enabled by hand, and when it has no longer several. Throws CHANNEL_KEY_MISSING, CHANNEL_KEY_UNUSUAL,
 * FIELD_TOO_MANY: also when the keys that are stored do not go with the new settings.
 */
export function keyChanges(
  stored: Stored,
  edit: KeyEdit,
  secrets: Secrets,
): Partial<Pick<Stored, 'key' | 'other_info'>> {
  const before = parseSettings(stored.setting).multiKeyMode
  const mode = parseSettings(edit.setting ?? stored.setting).multiKeyMode
  const given = tidyKeys(edit.key ?? '', mode)
  if (!before && !mode) return given ? { key: secrets.seal(given) } : {}
  const old = secrets.open(stored.key)
  const keys = given || tidyKeys(old, mode)
  if (keys === '') throw new GatewayError('CHANNEL_KEY_MISSING')
  const digests = mode ? splitKeys(keys).map((key) => keyDigest(secrets, key)) : []
  const setAside = setAsideIn(stored.other_info)
  const kept = isEnabling(stored, edit) ? {} : onlyOf(setAside, digests)
  const forgets = Object.keys(kept).length < Object.keys(setAside).length
  return {
    ...(keys !== old && { key: secrets.seal(keys) }),
    ...(forgets && { other_info: withSetAside(stored.other_info, kept) }),
  }
}

/** A whole record that is saved again says its status too: only what turns, or nothing but the status, is an order. */
function isEnabling({ status: before }: Stored, { status, statusAlone }: KeyEdit): boolean {
  return status === CHANNEL_STATUS.enabled && (before !== CHANNEL_STATUS.enabled || statusAlone)
}
