import type { Knex } from 'knex'
import type { Database } from '../../db/database.ts'
import { isValueRefused } from '../../errors.ts'
import { type NewChannelEvent, recordChannelEvents, SUBJECT_LENGTH_MAX } from './events.ts'
import type { CircuitChange } from './health.ts'
import { sanitizeText } from './sanitize-text.ts'

const FLUSH_MS = 500
const RETRY_MS = 5000
/** Interval of checks whether this process was declared dead. If so, its rows were deleted and are written again. */
const NODE_CHECK_MS = 30_000
/** Maximum number of events that wait for one write. More events would add no information. */
const EVENTS_MAX = 500
const ROWS_PER_INSERT = 100

/** Writes changes of circuits to the database in the background, in batches, for administrators. */
export function createHealthJournal(parts: {
  db: Database
  /** Returns the epoch of this process. It changes if the process was declared dead. */
  nodeId: () => string
  onFailure: (error: unknown) => void
}) {
  const { db, nodeId, onFailure } = parts
  /** All open circuits, by channel, scope and subject. */
  const open = new Map<string, CircuitChange>()
  let waiting = new Map<string, CircuitChange>()
  let events: NewChannelEvent[] = []
  let writtenNodeId = ''
  let timer: NodeJS.Timeout | undefined
  let writing: Promise<void> | undefined
  let closed = false
  const nodeCheck = setInterval(() => {
    if (open.size > 0 && nodeId() !== writtenNodeId) void flush()
  }, NODE_CHECK_MS).unref()

  async function write(): Promise<void> {
    const node_id = nodeId()
    const changes = node_id === writtenNodeId ? waiting : new Map([...open, ...waiting])
    const pendingEvents = events
    waiting = new Map()
    events = []
    const save = (circuits: readonly CircuitChange[], newEvents: readonly NewChannelEvent[]) =>
      db.transaction(async (trx) => {
        await writeCircuits(trx, node_id, circuits)
        const eventsOfNode = newEvents.map((event) => ({ ...event, node_id }))
        await recordChannelEvents(trx, eventsOfNode)
      })
    try {
      await save([...changes.values()], pendingEvents).catch(async (error) => {
        if (!isValueRefused(error)) throw error
        onFailure(error)
        // Write the changes one by one, because a change that the database rejects must not block the others.
        for (const change of changes.values()) await save([change], []).catch(rethrowUnlessRefused)
        for (const event of pendingEvents) await save([], [event]).catch(rethrowUnlessRefused)
      })
      writtenNodeId = node_id
    } catch (error) {
      onFailure(error)
      waiting = new Map([...changes, ...waiting])
      events = [...pendingEvents, ...events].slice(0, EVENTS_MAX)
      if (!closed) scheduleFlush(RETRY_MS)
    }
  }

  function flush(): Promise<void> {
    clearTimeout(timer)
    timer = undefined
    const previousWrite = writing ?? Promise.resolve()
    const thisWrite = previousWrite.then(write).finally(() => {
      if (writing === thisWrite) writing = undefined
    })
    writing = thisWrite
    return thisWrite
  }

  function scheduleFlush(ms: number): void {
    timer ??= setTimeout(() => void flush(), ms).unref()
  }

  return {
    record(change: CircuitChange): void {
      if (closed) return
      const key = `${change.channelId} ${change.scope} ${change.subject}`
      const isOpen = change.transition === 'opened' || change.transition === 'reopened'
      if (isOpen) open.set(key, change)
      else open.delete(key)
      waiting.set(key, change)
      const event = eventOf(change)
      if (event && events.length < EVENTS_MAX) events.push(event)
      scheduleFlush(FLUSH_MS)
    },
    /** Writes waiting changes. */
    flush,
    /** Writes waiting changes, and deletes this process's rows of `channel_circuits`. */
    async close(): Promise<void> {
      if (closed) return
      closed = true
      clearInterval(nodeCheck)
      await flush()
      await db.transaction((trx) => trx('channel_circuits').where({ node_id: nodeId() }).delete()).catch(onFailure)
    },
  }
}

function rethrowUnlessRefused(error: unknown): void {
  if (!isValueRefused(error)) throw error
}

/** Returns the event of a change. A failed probe (`reopened`) is no event. */
function eventOf(change: CircuitChange): NewChannelEvent | undefined {
  const { channelId, scope, subject, transition, cause, reason, at } = change
  if (transition === 'reopened') return undefined
  return {
    channel_id: channelId,
    event: transition === 'opened' ? 'opened' : 'closed',
    scope,
    subject,
    class: cause,
    reason: transition === 'closed' ? '' : reason,
    created_at: Math.floor(at / 1000),
  }
}

async function writeCircuits(trx: Knex.Transaction, node_id: string, changes: readonly CircuitChange[]): Promise<void> {
  const rows = new Map<string, object>()
  for (const { channelId: channel_id, scope, subject: whole, transition, cause, ...rest } of changes) {
    const subject = sanitizeText(whole).slice(0, SUBJECT_LENGTH_MAX)
    const reason = sanitizeText(rest.reason)
    const id = { node_id, channel_id, scope, subject }
    await trx('channel_circuits').where(id).delete()
    const key = `${channel_id} ${scope} ${subject}`
    if (transition === 'closed' || transition === 'forgotten') {
      rows.delete(key)
      continue
    }
    const [since, retry_at] = [Math.floor(rest.openedAt / 1000), Math.ceil(rest.retryAt / 1000)]
    rows.set(key, { ...id, state: 'open', class: cause, reason, since, retry_at })
  }
  await trx.batchInsert('channel_circuits', [...rows.values()], ROWS_PER_INSERT)
}
