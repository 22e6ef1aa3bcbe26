import { CHANNEL_STATUS } from '../../channels/channel.ts'
import { keyDigest } from '../../channels/keys/key-ring.ts'
import { splitKeys } from '../../channels/keys/keys.ts'
import { BY_HAND_AT_SOURCE, type DisabledKey, withDisabledKeys } from '../../channels/settings/other-info.ts'
import type { Secrets } from '../../secrets.ts'
import { jsonObject } from './mapper.ts'

/** A disabled key of a channel with several keys. */
export interface KeyOff {
  key: string
  reason: string
  /** Unix seconds. */
  time: number
}

/**
 * Returns the disabled keys of a channel. `channel_info` of new-api has the status of each key by its line number, starting at 0.
 * For keys that were disabled automatically, it also has the reason and the time.
 */
export function disabledKeys(info: string, key: string, change: (what: string) => void): KeyOff[] {
  const object = jsonObject(info) ?? {}
  const [statuses, reasons, times] = ['status_list', 'disabled_reason', 'disabled_time'].map((name) =>
    recordOf(object[`multi_key_${name}`]),
  ) as [Record<string, unknown>, Record<string, unknown>, Record<string, unknown>]
  const lines = key.split('\n').map((line) => line.trim())
  const known = new Set(splitKeys(key))
  const disabled: KeyOff[] = []
  for (const [at, status] of Object.entries(statuses)) {
    if (Number(status) === CHANNEL_STATUS.enabled) continue
    const number = Number(at) + 1
    const line = lines[Number(at)] ?? ''
    if (!known.has(line)) {
      change(`key ${number} is disabled at the source, but it cannot be found: look for it here`)
      continue
    }
    const isByHand = Number(status) !== CHANNEL_STATUS.autoDisabled
    const reason = isByHand ? BY_HAND_AT_SOURCE : String(reasons[at] ?? '') || 'disabled at the source'
    disabled.push({ key: line, reason, time: Number(times[at]) || 0 })
    change(`key ${number} of ${known.size} is disabled, as at the source`)
  }
  return disabled
}

/** Returns the column `other_info` with these keys disabled. */
export function withKeysOff(otherInfo: string, disabled: readonly KeyOff[], secrets: Pick<Secrets, 'digest'>): string {
  const entries = disabled.map(({ key, reason, time }): [string, DisabledKey] => {
    return [keyDigest(secrets, key), { status: CHANNEL_STATUS.autoDisabled, reason, time }]
  })
  return withDisabledKeys(otherInfo, Object.fromEntries(entries))
}

function recordOf(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : {}
}
