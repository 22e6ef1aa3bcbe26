import { expect, test } from 'vitest'
import { channelHistoryJob } from '../../../server/channels/jobs.ts'
import { onBoth } from '../../support/toolkit.ts'

const NOW = 1_800_000_000
const DAY_S = 86_400
const NEVER = new AbortController().signal

onBoth('the history of a channel', (open) => {
  test('keeps its newest 200 events of 30 days, and the circuits of processes that live', async () => {
    const { toolkit } = await open({ now: () => NOW })
    const { db } = toolkit
    await toolkit.ledger.start()
    const { id: alive } = await db.reader('nodes').first('id')
    const event = (channel_id: number, created_at: number) => ({
      channel_id,
      created_at,
      event: 'opened',
      scope: 'channel',
    })
    const circuit = (node_id: string) => ({
      ...{ node_id, channel_id: 1, scope: 'channel', subject: '', state: 'open', class: 'server' },
      ...{ since: NOW, retry_at: NOW },
    })
    await db.transaction(async (trx) => {
      const crowd = Array.from({ length: 250 }, (_, at) => event(1, NOW - 250 + at))
      await trx.batchInsert('channel_events', [...crowd, event(2, NOW - 31 * DAY_S), event(2, NOW - 29 * DAY_S)], 100)
      await trx('channel_circuits').insert([circuit(alive), circuit('gone')])
    })

    const job = channelHistoryJob(toolkit)
    expect(await job.run(NEVER)).toBe('52 rows removed')
    const kept = await db.reader('channel_events').orderBy('id').select('channel_id', 'created_at')
    expect(kept.filter(({ channel_id }) => channel_id === 1).map((row) => Number(row.created_at))).toEqual(
      Array.from({ length: 200 }, (_, at) => NOW - 200 + at),
    )
    expect(kept.filter(({ channel_id }) => channel_id === 2)).toHaveLength(1)
    expect(await db.reader('channel_circuits').pluck('node_id')).toEqual([alive])
    expect(await job.run(NEVER)).toBeUndefined()
  })
})
