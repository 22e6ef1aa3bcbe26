import { GatewayError } from '../../errors.ts'
import type { Secrets } from '../../secrets.ts'
import { CHANNEL_STATUS, type Channel } from '../channel.ts'
import { tidyKeys } from '../check.ts'
import { disabledKeysIn, keepKeys, withDisabledKeys } from '../settings/other-info.ts'
import { parseSettings } from '../settings/settings.ts'
import { keyDigest } from './key-ring.ts'
import { splitKeys } from './keys.ts'

type Stored = Pick<Channel, 'status' | 'setting' | 'other_info'> & { key: string }

export interface KeyEdit {
  readonly key?: string | null | undefined
  readonly setting?: string | undefined
  readonly status?: number | null | undefined
  /** Whether the edit contains nothing else. */
  readonly statusAlone: boolean
}

/**
 * Returns an edit's changes to a channel's keys and disabled keys. Disabled keys are deleted with their keys, when the channel is
 * enabled by hand, and when it no longer has several. Throws CHANNEL_KEY_MISSING, CHANNEL_KEY_UNUSUAL, FIELD_TOO_MANY, also if
 * the stored keys are invalid under the new settings.
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
  const setAside = disabledKeysIn(stored.other_info)
  const kept = isEnabling(stored, edit) ? {} : keepKeys(setAside, digests)
  const forgets = Object.keys(kept).length < Object.keys(setAside).length
  return {
    ...(keys !== old && { key: secrets.seal(keys) }),
    ...(forgets && { other_info: withDisabledKeys(stored.other_info, kept) }),
  }
}

/** Saving a whole record repeats its status: only a changed status, or an edit of nothing but the status, enables the channel. */
function isEnabling({ status: before }: Stored, { status, statusAlone }: KeyEdit): boolean {
  return status === CHANNEL_STATUS.enabled && (before !== CHANNEL_STATUS.enabled || statusAlone)
}
