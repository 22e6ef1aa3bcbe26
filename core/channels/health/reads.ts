import type { Knex } from 'knex'
import { type Actor, ROLE, requireRole } from '../../actor.ts'
import type { Database } from '../../db/database.ts'
import { GatewayError } from '../../errors.ts'
import { commaList } from '../../input.ts'
import { CHANNEL_STATUS } from '../channel.ts'
import { objectIn } from '../settings/other-info.ts'
import { EVENTS_KEPT, trimHealth } from './events.ts'
import type { ChannelCircuit, ChannelEvent, ChannelsHealth, DisabledChannel, OneChannelHealth } from './schema.ts'

/** Maximum number of rows per list. */
const ROWS_MAX = 10_000

const EVENT_COLUMNS = commaList('id, channel_id, created_at, node_id, event, scope, subject, class, reason')

/** The health of channels according to all processes. Administrators only. */
export function createChannelHealthQueries({ db, now }: { db: Database; now: () => number }) {
  async function circuits(where: (query: Knex.QueryBuilder) => void): Promise<ChannelCircuit[]> {
    const rows: ChannelCircuit[] = await db
      .reader('channel_circuits as circuit')
      .join('channels', 'channels.id', 'circuit.channel_id')
      // Excludes the rows of dead processes.
      .join('nodes', 'nodes.id', 'circuit.node_id')
      // A rate limit ends at `retry_at`, without a probe.
      .where((query) => query.whereNot('circuit.class', 'limited').orWhere('circuit.retry_at', '>', now()))
      .modify(where)
      .orderBy(['circuit.channel_id', 'circuit.scope', 'circuit.subject', 'circuit.node_id'])
      .limit(ROWS_MAX)
      .select('circuit.*', 'channels.name as channel_name')
    const at = now()
    return rows.map((row) => ({ ...row, state: row.retry_at <= at ? 'half-open' : 'open' }))
  }

  async function disabled(where: (query: Knex.QueryBuilder) => void): Promise<DisabledChannel[]> {
    const rows: { id: number; name: string; status: number; other_info: string }[] = await db
      .reader('channels')
      .whereNot({ status: CHANNEL_STATUS.enabled })
      .modify(where)
      .orderBy('id')
      .limit(ROWS_MAX)
      .select('id', 'name', 'status', 'other_info')
    return rows.map(({ id, name, status, other_info }) => ({
      channel_id: id,
      channel_name: name,
      status,
      ...reasonOf(other_info),
    }))
  }

  return {
    /** Returns open circuits and disabled channels. */
    async health(actor: Actor): Promise<ChannelsHealth> {
      requireRole(actor, ROLE.admin)
      return { circuits: await circuits(() => {}), disabled: await disabled(() => {}) }
    },

    /** Returns one channel with its history. Throws CHANNEL_NOT_FOUND. */
    async healthOf(actor: Actor, id: number): Promise<OneChannelHealth> {
      requireRole(actor, ROLE.admin)
      const channel = await db.reader('channels').where({ id }).first('name', 'status')
      if (!channel) throw new GatewayError('CHANNEL_NOT_FOUND', { id })
      const events: ChannelEvent[] = await db
        .reader('channel_events')
        .where({ channel_id: id })
        .orderBy('id', 'desc')
        .limit(EVENTS_KEPT)
        .select(...EVENT_COLUMNS)
      const open = await circuits((query) => void query.where('circuit.channel_id', id))
      const [disabledChannel = null] = await disabled((query) => void query.where({ id }))
      return {
        channel_id: id,
        channel_name: channel.name,
        status: channel.status,
        healthy: disabledChannel === null && open.length === 0,
        circuits: open,
        disabled: disabledChannel,
        events,
      }
    },

    /**
     * Removes old and excess events of the histories, and rows of dead processes. Returns the number of removed rows.
     */
    async trimHealth(actor: Actor): Promise<number> {
      requireRole(actor, ROLE.admin)
      return trimHealth(db, now())
    },
  }
}

/** Returns the reason and time in `other_info`. Empty for invalid text, which imported rows may contain. */
function reasonOf(json: string): { reason: string; since: number } {
  const { status_reason: reason, status_time: since } = objectIn(json)
  return {
    reason: typeof reason === 'string' ? reason : '',
    since: typeof since === 'number' && Number.isSafeInteger(since) ? since : 0,
  }
}
