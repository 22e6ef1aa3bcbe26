import { CHANNEL_STATUS } from '../../channels/channel.ts'
import { keyDigest } from '../../channels/keys/key-ring.ts'
import { splitKeys } from '../../channels/keys/keys.ts'
import { BY_HAND_AT_SOURCE, type DisabledKey, withDisabledKeys } from '../../channels/settings/other-info.ts'
import { parseObject } from '../../input.ts'
import { recordOf } from '../../records.ts'
import type { Secrets } from '../../secrets.ts'

/** A disabled key of a channel with several keys. */
interface DisabledSourceKey {
  key: string
  reason: string
  /** Unix seconds. */
  time: number
}

/**
 * Returns the disabled keys of a channel. In new-api, `channel_info` (here `info`) has the status of each key by line
 * number. The first line has the number 0. For automatically disabled keys, it also has the reason and the time.
 */
export function disabledKeys(info: string, key: string, change: (what: string) => void): DisabledSourceKey[] {
  const object = parseObject(info) ?? {}
  const statuses = recordOf(object.multi_key_status_list)
  const reasons = recordOf(object.multi_key_disabled_reason)
  const times = recordOf(object.multi_key_disabled_time)
  const lines = key.split('\n').map((line) => line.trim())
  const keySet = new Set(splitKeys(key))
  const disabled: DisabledSourceKey[] = []
  for (const [at, status] of Object.entries(statuses)) {
    if (Number(status) === CHANNEL_STATUS.enabled) continue
    const number = Number(at) + 1
    const line = lines[Number(at)] ?? ''
    if (!keySet.has(line)) {
      change(
        `key ${number} is disabled at the source, but the channel has no such key: check which keys should be disabled here`,
      )
      continue
    }
    const isByHand = Number(status) !== CHANNEL_STATUS.autoDisabled
    const reason = isByHand ? BY_HAND_AT_SOURCE : String(reasons[at] ?? '') || 'disabled at the source'
    disabled.push({ key: line, reason, time: Number(times[at]) || 0 })
    change(`key ${number} of ${keySet.size} is disabled, as at the source`)
  }
  return disabled
}

/** Returns the column `other_info` with these keys disabled. */
export function withKeysOff(
  otherInfo: string,
  disabled: readonly DisabledSourceKey[],
  secrets: Pick<Secrets, 'digest'>,
): string {
  const entries = disabled.map(({ key, reason, time }): [string, DisabledKey] => {
    return [keyDigest(secrets, key), { status: CHANNEL_STATUS.autoDisabled, reason, time }]
  })
  return withDisabledKeys(otherInfo, Object.fromEntries(entries))
}
