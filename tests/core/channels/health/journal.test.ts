import { expect, test } from 'vitest'
import { EVENTS_KEPT, EVENTS_KEPT_S, recordChannelEvents } from '../../../../core/channels/health/events.ts'
import type { CircuitChange } from '../../../../core/channels/health/health.ts'
import { createHealthJournal } from '../../../../core/channels/health/journal.ts'
import { releaseAllDead } from '../../../support/dead.ts'
import { onBoth, type TestToolkit } from '../../../support/toolkit.ts'

const NOW = 1_800_000_000

const change = (fields: Partial<CircuitChange>): CircuitChange => ({
  channelId: 1,
  scope: 'model',
  subject: 'gpt-4o (openai-chat)',
  transition: 'opened',
  cause: 'server',
  reason: 'status code 500: oh',
  openedAt: NOW * 1000,
  retryAt: NOW * 1000 + 1500,
  at: NOW * 1000,
  ...fields,
})

onBoth('what circuits do', (open, database) => {
  async function start() {
    const fixture = await open()
    const { id } = await fixture.channel()
    await fixture.toolkit.ledger.start()
    const failures: unknown[] = []
    const process = (nodeId = () => fixture.toolkit.ledger.nodeId) =>
      createHealthJournal({ db: fixture.toolkit.db, nodeId, onFailure: (error) => failures.push(error) })
    return { ...fixture, id, failures, process, health: () => fixture.toolkit.channels.healthOf(fixture.root, id) }
  }
  test('is stored in its last state, with its history, once for many', async () => {
    const { process, health, failures } = await start()
    const journal = process()
    for (const transition of ['opened', 'reopened', 'reopened', 'closed', 'opened'] as const) {
      journal.record(change({ transition }))
    }
    journal.record(change({ scope: 'channel', subject: '', cause: 'unreachable' }))
    journal.record(change({ scope: 'limit', subject: 'x'.repeat(400) }))
    journal.record(change({ scope: 'limit', subject: 'y', transition: 'opened' }))
    journal.record(change({ scope: 'limit', subject: 'y', transition: 'forgotten' }))
    await journal.flush()
    const { circuits, events, healthy } = await health()
    expect(circuits.map(({ scope, subject }) => `${scope} ${subject.slice(0, 6)}`)).toEqual([
      'channel ',
      'limit xxxxxx',
      'model gpt-4o',
    ])
    expect(circuits[0]).toMatchObject({ class: 'unreachable', reason: 'status code 500: oh', since: NOW })
    expect(events.map(({ event, scope }) => `${scope} ${event}`).reverse()).toEqual([
      'model opened',
      'model closed',
      'model opened',
      'channel opened',
      'limit opened',
      'limit opened',
      'limit closed',
    ])
    expect(healthy).toBe(false)
    journal.record(change({ transition: 'closed' }))
    await journal.close()
    expect((await health()).circuits).toEqual([])
    expect(failures).toEqual([])
  })

  test('is stored per process; a dead process no longer counts', async () => {
    const { another, toolkit, process, health } = await start()
    const node_id = `${database}-dead`
    await toolkit.db.transaction((trx) => trx('nodes').insert({ id: node_id, started_at: 1, seen_at: 1 }))
    const dead = process(() => node_id)
    const alive = process()
    for (const journal of [dead, alive]) {
      journal.record(change({}))
      await journal.flush()
    }
    expect((await health()).circuits).toHaveLength(2)
    await releaseAllDead({ another }, () =>
      toolkit.db.transaction((trx) => trx('nodes').where({ id: toolkit.ledger.nodeId }).increment('beats', 1)),
    )
    expect((await health()).circuits).toMatchObject([{ node_id: toolkit.ledger.nodeId }])
    expect(await toolkit.db.reader('channel_circuits').where({ node_id })).toEqual([])
    await alive.close()
  })

  test('is stored again by a process that was considered dead and continues as another', async () => {
    const { toolkit, process, health } = await start()
    let node_id = toolkit.ledger.nodeId
    const journal = process(() => node_id)
    journal.record(change({}))
    await journal.flush()
    node_id = 'another'
    await toolkit.db.transaction((trx) => trx('nodes').insert({ id: node_id, started_at: NOW, seen_at: 9e9 }))
    journal.record(change({ scope: 'channel', subject: '' }))
    await journal.flush()
    const { circuits } = await health()
    expect(circuits.filter((circuit) => circuit.node_id === 'another')).toHaveLength(2)
    await journal.close()
  })

  test('is stored for any upstream text, even with characters that databases reject', async () => {
    const { process, health, failures } = await start()
    const journal = process()
    journal.record(change({ cause: null as never, scope: 'limit', subject: 'no class' }))
    journal.record(change({ reason: 'status code 401: bad\u0000key\u001b[31m', subject: 'nul\u0000model' }))
    await journal.flush()
    const { circuits, events } = await health()
    const written = { reason: 'status code 401: bad key [31m', subject: 'nul model' }
    expect(circuits).toMatchObject([written])
    expect(events).toMatchObject([written])
    expect(failures).toHaveLength(1)
    await journal.flush()
    expect(failures).toHaveLength(1)
    await journal.close()
  })

  test('is stored when an unavailable database is back', async () => {
    const { toolkit, process, health, failures } = await start()
    const journal = process()
    await toolkit.db.transaction((trx) => trx.schema.renameTable('channel_events', 'elsewhere'))
    journal.record(change({}))
    await journal.flush()
    expect(failures).toHaveLength(1)
    await toolkit.db.transaction((trx) => trx.schema.renameTable('elsewhere', 'channel_events'))
    await journal.flush()
    expect(await health()).toMatchObject({ circuits: [{ scope: 'model' }], events: [{ event: 'opened' }] })
    await journal.close()
  })
})

onBoth('the history of a channel', (open) => {
  const insert = (fixture: TestToolkit, rows: { channel_id: number; created_at: number }[]) =>
    fixture.toolkit.db.transaction((trx) =>
      recordChannelEvents(
        trx,
        rows.map((row) => ({ ...row, event: 'opened', scope: 'channel' })),
      ),
    )
  test('keeps its newest events, for thirty days', async () => {
    const fixture = await open({ now: () => NOW })
    const [busy, quiet] = [await fixture.channel(), await fixture.channel()]
    const many = Array.from({ length: EVENTS_KEPT + 30 }, (_, at) => ({
      channel_id: busy.id,
      created_at: NOW - 1000 + at,
    }))
    await insert(fixture, many)
    await insert(fixture, [
      { channel_id: quiet.id, created_at: NOW - EVENTS_KEPT_S - 1 },
      { channel_id: quiet.id, created_at: NOW - EVENTS_KEPT_S },
    ])
    expect(await fixture.toolkit.channels.trimHealth(fixture.root)).toBe(31)
    const { events } = await fixture.toolkit.channels.healthOf(fixture.root, busy.id)
    expect(events).toHaveLength(EVENTS_KEPT)
    expect(events[0]?.created_at).toBe(NOW - 1000 + EVENTS_KEPT + 29)
    expect((await fixture.toolkit.channels.healthOf(fixture.root, quiet.id)).events).toHaveLength(1)
    expect(await fixture.toolkit.channels.trimHealth(fixture.root)).toBe(0)
  })
})
