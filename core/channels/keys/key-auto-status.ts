import type { Knex } from 'knex'
import { type Actor, ROLE, requireRole } from '../../actor.ts'
import type { Secrets } from '../../secrets.ts'
import { CHANNEL_STATUS, type Channel } from '../channel.ts'
import { recordChannelEvents, recordStatusChange } from '../health/events.ts'
import { sanitizeText } from '../health/sanitize-text.ts'
import { type EditChannels, refreshStatus } from '../routing/abilities.ts'
import {
  type DisabledKeys,
  disabledKeysIn,
  keepKeys,
  lastKeyReason,
  type Proof,
  proofNeeded,
  REASON_LENGTH_MAX,
  withDisabledKeys,
  withStatusReason,
} from '../settings/other-info.ts'
import type { StatusChanges } from '../status/status-change.ts'
import { digestsOf } from './key-ring.ts'

/** The scope of a change: only a key, or also its channel. */
type KeyStatusScope = 'key' | 'channel'

/** Changes the status of single keys of channels with several keys. Ignores deleted channels and keys. */
export interface KeyAutoStatus {
  /**
   * Disables a key of an enabled channel if `auto_ban` allows it. If it was the last usable key, also disables the
   * channel. Returns undefined if nothing changed.
   */
  disableKeyAutomatically(actor: Actor, id: number, digest: string, reason: string): Promise<KeyStatusScope | undefined>
  /**
   * Enables a key if the reason of its disabling requires the proof `by`. Also enables the channel if it was disabled
   * automatically because no key was usable. Changes nothing in a channel disabled by hand. Returns undefined if
   * nothing changed.
   */
  enableKeyAutomatically(actor: Actor, id: number, digest: string, by?: Proof): Promise<KeyStatusScope | undefined>
}

type KeyedRow = Pick<Channel, 'name' | 'status' | 'auto_ban' | 'setting' | 'other_info'> & { key: string }

interface StatusUpdate {
  readonly scope: KeyStatusScope
  readonly changes: Partial<Pick<Channel, 'status' | 'other_info'>>
}

export function createKeyAutoStatus(parts: {
  edit: EditChannels
  secrets: Secrets
  now: () => number
  changes: Pick<StatusChanges, 'notify'>
}): KeyAutoStatus {
  const { edit, secrets, now, changes } = parts
  async function setKeyStatus(
    { id, digest, to, reason }: { id: number; digest: string; to: 'enabled' | 'disabled'; reason: string },
    decide: (row: KeyedRow, digests: readonly string[]) => StatusUpdate | undefined,
  ): Promise<KeyStatusScope | undefined> {
    let update: StatusUpdate | undefined
    let name = ''
    await edit(
      'automatic',
      async (trx: Knex.Transaction) => {
        const row = await trx('channels')
          .where({ id })
          .forUpdate()
          .first('name', 'status', 'auto_ban', 'setting', 'other_info', 'key')
        if (row === undefined) return []
        update = decide(row, digestsOf(row, secrets))
        if (!update) return []
        name = row.name
        await trx('channels').where({ id }).update(update.changes)
        const created_at = now()
        const event = { channel_id: id, scope: 'key', subject: digest, class: 'automatic', reason, created_at } as const
        await recordChannelEvents(trx, [{ ...event, event: `key-${to}` }])
        const { status } = update.changes
        if (status !== undefined)
          await recordStatusChange(trx, [id], { status, reason, now: now(), class: 'automatic' })
        return [id]
      },
      async (trx, ids) => {
        const status = update?.changes.status
        if (status !== undefined) await refreshStatus(status)(trx, ids)
      },
    )
    if (!update) return undefined
    // If the channel changes together with its key, notify the listeners only of the channel's change.
    if (update.scope === 'channel') changes.notify({ channelId: id, name, event: to, reason })
    else changes.notify({ channelId: id, name, event: `key-${to}`, reason, key: digest })
    return update.scope
  }

  return {
    async disableKeyAutomatically(actor, id, digest, text) {
      requireRole(actor, ROLE.admin)
      const time = now()
      const reason = sanitizeText(text)
      return setKeyStatus({ id, digest, to: 'disabled', reason }, (row, digests) =>
        afterFailure(row, { digests, digest, reason, time }),
      )
    },
    async enableKeyAutomatically(actor, id, digest, by = 'test') {
      requireRole(actor, ROLE.admin)
      const time = now()
      return setKeyStatus({ id, digest, to: 'enabled', reason: '' }, (row, digests) =>
        afterSuccess(row, { digests, digest, time, by }),
      )
    },
  }
}

/** Returns the changes to a channel after a permanent failure of one of its keys, or undefined for no change. */
function afterFailure(
  { status, auto_ban, other_info }: Pick<KeyedRow, 'status' | 'auto_ban' | 'other_info'>,
  failed: { digests: readonly string[]; digest: string; reason: string; time: number },
): StatusUpdate | undefined {
  const { digests, digest, time } = failed
  const disabledKeys = keepKeys(disabledKeysIn(other_info), digests)
  if (status !== CHANNEL_STATUS.enabled || auto_ban !== 1) return undefined
  if (!digests.includes(digest) || Object.hasOwn(disabledKeys, digest)) return undefined
  const reason = failed.reason.slice(0, REASON_LENGTH_MAX)
  const keys = { ...disabledKeys, [digest]: { status: CHANNEL_STATUS.autoDisabled, reason, time } }
  if (hasUsable(digests, keys)) return { scope: 'key', changes: { other_info: withDisabledKeys(other_info, keys) } }
  const infoWithReason = withStatusReason(other_info, { reason: lastKeyReason(reason), time })
  return {
    scope: 'channel',
    changes: { status: CHANNEL_STATUS.autoDisabled, other_info: withDisabledKeys(infoWithReason, keys) },
  }
}

/** Returns the changes to a channel after a disabled key works again, or undefined for no change. */
function afterSuccess(
  { status, other_info }: Pick<KeyedRow, 'status' | 'other_info'>,
  { digests, digest, time, by }: { digests: readonly string[]; digest: string; time: number; by: Proof },
): StatusUpdate | undefined {
  const disabledKeys = keepKeys(disabledKeysIn(other_info), digests)
  if (status === CHANNEL_STATUS.disabled || !Object.hasOwn(disabledKeys, digest)) return undefined
  const { [digest]: key, ...keys } = disabledKeys
  if (proofNeeded(key?.reason) !== by) return undefined
  const enablesChannel = status === CHANNEL_STATUS.autoDisabled && !hasUsable(digests, disabledKeys)
  if (!enablesChannel) return { scope: 'key', changes: { other_info: withDisabledKeys(other_info, keys) } }
  const infoWithReason = withStatusReason(other_info, { reason: '', time })
  return {
    scope: 'channel',
    changes: { status: CHANNEL_STATUS.enabled, other_info: withDisabledKeys(infoWithReason, keys) },
  }
}

/** Returns whether at least one of these keys is not disabled. */
export function hasUsable(digests: readonly string[], disabledKeys: DisabledKeys): boolean {
  return digests.some((digest) => !Object.hasOwn(disabledKeys, digest))
}
