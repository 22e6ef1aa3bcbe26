import type { Knex } from 'knex'
import type { NewChannelEvent } from '../channels/health/events.ts'
import { sanitizeText } from '../channels/health/sanitize-text.ts'
import type { NoticeEvent } from './notice.ts'
import { recordNotice } from './outbox.ts'

const EVENTS: Partial<Record<NewChannelEvent['event'], NoticeEvent>> = {
  disabled: 'channel.disabled',
  'key-disabled': 'channel.disabled',
  enabled: 'channel.enabled',
  'key-enabled': 'channel.enabled',
  opened: 'circuit.opened',
}
/** Minimum seconds between two notices about the circuits of one channel. */
const CIRCUIT_QUIET_S = 900
const LISTED_MAX = 100
/** Maximum length of a reason or a subject. Upstreams may reply with whole pages. */
const REASON_LENGTH_MAX = 500

/**
 * Writes one notice for all disabled channels and keys of a transaction, and one for all enabled ones. For opened
 * circuits, writes one notice per channel, which names only the first circuit.
 */
export async function recordChannelNotices(trx: Knex.Transaction, events: readonly NewChannelEvent[]): Promise<void> {
  const target = await trx('notice_targets').where({ enabled: true }).whereNull('user_id').first('id')
  if (!target) return
  for (const event of ['channel.disabled', 'channel.enabled', 'circuit.opened'] as const) {
    const matching = events.filter((each) => EVENTS[each.event] === event)
    if (event === 'circuit.opened') {
      // Write one notice per channel, because the minimum time between notices is per channel. Sort by id, because
      // concurrent transactions insert the same `dedupe` values and could deadlock.
      for (const id of [...new Set(matching.map(({ channel_id }) => channel_id))].sort((a, b) => a - b)) {
        const ofChannel = matching.filter(({ channel_id }) => channel_id === id).slice(0, 1)
        await record(trx, event, ofChannel)
      }
    } else await record(trx, event, matching)
  }
}

async function record(
  trx: Knex.Transaction,
  event: 'channel.disabled' | 'channel.enabled' | 'circuit.opened',
  events: readonly NewChannelEvent[],
): Promise<void> {
  const [first] = events
  if (!first) return
  const listed = events.slice(0, LISTED_MAX)
  const names = await namesOf(trx, listed)
  const channels = listed.map(({ channel_id: id, scope, subject = '', reason = '', class: by = '' }) => ({
    id,
    name: names.get(id) ?? '',
    ...(scope === 'key' && { key: subject }),
    ...(scope !== 'key' && subject !== '' && { scope, subject: sanitizeText(subject).slice(0, REASON_LENGTH_MAX) }),
    reason: sanitizeText(reason).slice(0, REASON_LENGTH_MAX),
    by,
  }))
  await recordNotice(trx, {
    event,
    subject: events.length === 1 ? `channel:${first.channel_id}` : 'channels',
    ...(event === 'circuit.opened' && { quietS: CIRCUIT_QUIET_S }),
    data: { count: events.length, channels },
    now: first.created_at,
  })
}

async function namesOf(trx: Knex.Transaction, events: readonly NewChannelEvent[]): Promise<Map<number, string>> {
  const ids = [...new Set(events.map(({ channel_id }) => channel_id))]
  const rows: { id: number; name: string }[] = await trx('channels').whereIn('id', ids).select('id', 'name')
  return new Map(rows.map(({ id, name }) => [id, name]))
}
