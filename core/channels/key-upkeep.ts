import type { Knex } from 'knex'
import { type Actor, ROLE, requireRole } from '../actor.ts'
import type { Secrets } from '../secrets.ts'
import { type EditChannels, refreshStatus } from './abilities.ts'
import { CHANNEL_STATUS, type Channel } from './channel.ts'
import { recordChannelEvents } from './health/events.ts'
import { legible } from './health/legible.ts'
import { recordStatusChange } from './health/status-events.ts'
import { keyDigest } from './key-ring.ts'
import { splitKeys } from './keys.ts'
import {
  lastKeyReason,
  objectIn,
  onlyOf,
  type Proof,
  proofNeeded,
  REASON_LENGTH_MAX,
  type SetAsideKeys,
  setAsideIn,
  withSetAside,
} from './other-info.ts'
import { parseSettings } from './settings.ts'
import type { StatusChanges } from './status-change.ts'

/** What came of a key's failing or of its working again: of the key alone, or of its channel too. */
export type KeyTurn = 'key' | 'channel'

/** What the gateway finds out about single keys of a channel that has several. Nothing throws for what is gone by now. */
export interface KeyUpkeep {
  /**
   * Sets aside a key of a channel that is enabled and may be disabled automatically; with the last one that could be used,
   * the channel is disabled. Undefined: nothing was changed.
   */
  disableKeyAutomatically(actor: Actor, id: number, digest: string, reason: string): Promise<KeyTurn | undefined>
  /**
   * Brings back a key that was set aside for a reason that this disproves; the channel too, if it was disabled automatically and had no other key. A channel
   * that was disabled by hand stays as it is. Undefined: nothing was changed.
   */
  enableKeyAutomatically(actor: Actor, id: number, digest: string, by?: Proof): Promise<KeyTurn | undefined>
}

type KeyedRow = Pick<Channel, 'name' | 'status' | 'auto_ban' | 'setting' | 'other_info'> & { key: string }

interface Turned {
  readonly turn: KeyTurn
  readonly changes: Partial<Pick<Channel, 'status' | 'other_info'>>
}

export function createKeyUpkeep({
  edit,
  secrets,
  now,
  changes: { tell },
}: {
  edit: EditChannels
  secrets: Secrets
  now: () => number
  changes: Pick<StatusChanges, 'tell'>
}): KeyUpkeep {
  async function turnKey(
    { id, digest, to, reason }: { id: number; digest: string; to: 'enabled' | 'disabled'; reason: string },
    decide: (row: KeyedRow, digests: readonly string[]) => Turned | undefined,
  ): Promise<KeyTurn | undefined> {
    let turned: Turned | undefined
    let name = ''
    await edit(
      'automatic',
      async (trx: Knex.Transaction) => {
        const row = await trx('channels')
          .where({ id })
          .forUpdate()
          .first('name', 'status', 'auto_ban', 'setting', 'other_info', 'key')
        turned = row && decide(row as KeyedRow, digestsOf(row as KeyedRow, secrets))
        if (!turned) return []
        name = row.name
        await trx('channels').where({ id }).update(turned.changes)
        const created_at = now()
        const event = { channel_id: id, scope: 'key', subject: digest, class: 'automatic', reason, created_at } as const
        await recordChannelEvents(trx, [{ ...event, event: `key-${to}` }])
        const { status } = turned.changes
        if (status !== undefined)
          await recordStatusChange(trx, [id], { status, reason, now: now(), class: 'automatic' })
        return [id]
      },
      async (trx, ids) => {
        const status = turned?.changes.status
        if (status !== undefined) await refreshStatus(status)(trx, ids)
      },
    )
    if (!turned) return undefined
    // A channel that comes or goes with its key is one change for whoever is told.
    if (turned.turn === 'channel') tell({ channelId: id, name, event: to, reason })
    else tell({ channelId: id, name, event: `key-${to}`, reason, key: digest })
    return turned.turn
  }

  return {
    async disableKeyAutomatically(actor, id, digest, words) {
      requireRole(actor, ROLE.admin)
      const time = now()
      const reason = legible(words)
      return turnKey({ id, digest, to: 'disabled', reason }, (row, digests) =>
        afterFailure(row, { digests, digest, reason, time }),
      )
    },
    async enableKeyAutomatically(actor, id, digest, by = 'test') {
      requireRole(actor, ROLE.admin)
      const time = now()
      return turnKey({ id, digest, to: 'enabled', reason: '' }, (row, digests) =>
        afterSuccess(row, { digests, digest, time, by }),
      )
    },
  }
}

/** The digests of a channel's keys, in their order; none when it has no several. */
export function digestsOf({ setting, key }: Pick<KeyedRow, 'setting' | 'key'>, secrets: Secrets): string[] {
  if (!parseSettings(setting).multiKeyMode) return []
  return splitKeys(secrets.open(key)).map((each) => keyDigest(secrets, each))
}

/** What a row becomes when one of its keys has failed for good. */
export function afterFailure(
  { status, auto_ban, other_info }: Pick<KeyedRow, 'status' | 'auto_ban' | 'other_info'>,
  failed: { digests: readonly string[]; digest: string; reason: string; time: number },
): Turned | undefined {
  const { digests, digest, time } = failed
  const setAside = onlyOf(setAsideIn(other_info), digests)
  if (status !== CHANNEL_STATUS.enabled || auto_ban !== 1) return undefined
  if (!digests.includes(digest) || Object.hasOwn(setAside, digest)) return undefined
  const reason = failed.reason.slice(0, REASON_LENGTH_MAX)
  const keys = { ...setAside, [digest]: { status: CHANNEL_STATUS.autoDisabled, reason, time } }
  if (hasUsable(digests, keys)) return { turn: 'key', changes: { other_info: withSetAside(other_info, keys) } }
  const why = reasonText(other_info, { reason: lastKeyReason(reason), time })
  return { turn: 'channel', changes: { status: CHANNEL_STATUS.autoDisabled, other_info: withSetAside(why, keys) } }
}

/** What a row becomes when a key that was set aside works again. */
export function afterSuccess(
  { status, other_info }: Pick<KeyedRow, 'status' | 'other_info'>,
  { digests, digest, time, by }: { digests: readonly string[]; digest: string; time: number; by: Proof },
): Turned | undefined {
  const setAside = onlyOf(setAsideIn(other_info), digests)
  if (status === CHANNEL_STATUS.disabled || !Object.hasOwn(setAside, digest)) return undefined
  const { [digest]: key, ...keys } = setAside
  if (proofNeeded(key?.reason) !== by) return undefined
  const back = status === CHANNEL_STATUS.autoDisabled && !hasUsable(digests, setAside)
  if (!back) return { turn: 'key', changes: { other_info: withSetAside(other_info, keys) } }
  const why = reasonText(other_info, { reason: '', time })
  return { turn: 'channel', changes: { status: CHANNEL_STATUS.enabled, other_info: withSetAside(why, keys) } }
}

/** Whether one of these keys is not set aside. */
export function hasUsable(digests: readonly string[], setAside: SetAsideKeys): boolean {
  return digests.some((digest) => !Object.hasOwn(setAside, digest))
}

function reasonText(otherInfo: string, { reason, time }: { reason: string; time: number }): string {
  const why = { status_reason: reason.slice(0, REASON_LENGTH_MAX), status_time: time }
  return JSON.stringify({ ...objectIn(otherInfo), ...why })
}
