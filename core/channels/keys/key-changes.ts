import { GatewayError } from '../../errors.ts'
import type { Secrets } from '../../secrets.ts'
import { CHANNEL_STATUS, type Channel } from '../channel.ts'
import { tidyKeys } from '../check.ts'
import { disabledKeysIn, keepKeys, withDisabledKeys } from '../settings/other-info.ts'
import { parseSettings } from '../settings/settings.ts'
import { keyDigest } from './key-ring.ts'
import { splitKeys } from './keys.ts'

type Stored = Pick<Channel, 'status' | 'setting' | 'other_info'> & { key: string }

interface KeyEdit {
  readonly key?: string | null | undefined
  readonly setting?: string | undefined
  readonly status?: number | null | undefined
  /** Whether the edit contains only the status. */
  readonly isStatusOnly: boolean
}

/**
 * Returns an edit's changes to a channel's keys and disabled keys. A removed key is no longer disabled. All keys are
 * enabled if the channel is enabled by hand, or no longer has several keys. Throws CHANNEL_KEY_MISSING,
 * CHANNEL_KEY_UNUSUAL, FIELD_TOO_MANY, also if the stored keys are invalid under the new settings.
 */
export function keyChanges(
  stored: Stored,
  edit: KeyEdit,
  secrets: Secrets,
): Partial<Pick<Stored, 'key' | 'other_info'>> {
  const before = parseSettings(stored.setting).multiKeyMode
  const mode = parseSettings(edit.setting ?? stored.setting).multiKeyMode
  const givenKeys = tidyKeys(edit.key ?? '', mode)
  if (!before && !mode) return givenKeys ? { key: secrets.seal(givenKeys) } : {}
  const oldKeys = secrets.open(stored.key)
  const keys = givenKeys || tidyKeys(oldKeys, mode)
  if (keys === '') throw new GatewayError('CHANNEL_KEY_MISSING')
  const digests = mode ? splitKeys(keys).map((key) => keyDigest(secrets, key)) : []
  const disabledKeys = disabledKeysIn(stored.other_info)
  const stillDisabled = isEnabling(stored, edit) ? {} : keepKeys(disabledKeys, digests)
  const isShorter = Object.keys(stillDisabled).length < Object.keys(disabledKeys).length
  return {
    ...(keys !== oldKeys && { key: secrets.seal(keys) }),
    ...(isShorter && { other_info: withDisabledKeys(stored.other_info, stillDisabled) }),
  }
}

/**
 * Returns whether the edit enables the channel by hand: it changes the status, or contains only the status. Otherwise,
 * the edit has the status only because the client saves the whole record.
 */
function isEnabling({ status: before }: Stored, { status, isStatusOnly }: KeyEdit): boolean {
  return status === CHANNEL_STATUS.enabled && (before !== CHANNEL_STATUS.enabled || isStatusOnly)
}
