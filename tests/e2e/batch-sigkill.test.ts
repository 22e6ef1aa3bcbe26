import { expect, test } from 'vitest'
import { halfPrice, inputOf, openBatches, request } from '../server/relay/batches/fixture.ts'
import { releaseAllDead } from '../support/dead.ts'
import { CHANNEL_KEY, MODEL } from '../support/gateway.ts'
import { usage } from '../support/hand-made-upstream.ts'
import { hurryJobs } from '../support/job-turns.ts'
import { startServer } from '../support/server-process.ts'
import { openTestToolkit } from '../support/toolkit.ts'

/** Test gateways poll batches only with this setting. */
const POLLING = { UPDATE_TASK: 'true' }
const USED = usage(5, 2)
const MESSAGE = { type: 'message', role: 'assistant', content: [], usage: { input_tokens: 5, output_tokens: 2 } }

test.each([
  ['/v1/batches', 1],
  ['/v1/messages/batches', 14],
])(
  'a batch of %s that its upstream accepted just before SIGKILL is charged once',
  async (path, type) => {
    const fixture = await openBatches(await openTestToolkit())
    await fixture.channel({ type, base_url: fixture.upstream.url, models: MODEL, key: CHANNEL_KEY, priority: 9 })
    const before = await fixture.balance()
    const isOpenAi = type === 1
    const params = { model: MODEL, max_tokens: 10, messages: [{ role: 'user', content: 'hello' }] }
    const body = isOpenAi
      ? {
          input_file_id: await fixture.upload(inputOf(request('a'))),
          endpoint: '/v1/chat/completions',
          completion_window: '24h',
        }
      : { requests: [{ custom_id: 'a', params }] }
    const first = await startServer(fixture)
    fixture.upstream.instead.push(() => first.signal('SIGKILL'))

    const headers = { authorization: `Bearer ${fixture.key}`, 'content-type': 'application/json' }
    const answer = await fetch(first.url + path, { method: 'POST', headers, body: JSON.stringify(body) }).catch(
      () => 'cut',
    )
    await first.exited

    expect(answer).toBe('cut')
    expect(await fixture.balance()).toBe(before)
    const [id = ''] = fixture.upstream.batches.keys()
    fixture.upstream.end(id, () => ({ status: 200, body: isOpenAi ? { choices: [], usage: USED } : MESSAGE }))
    await releaseAllDead(fixture)
    const second = await startServer(fixture, POLLING)
    const hurry = setInterval(() => {
      void hurryJobs(fixture).catch(() => {})
      void fixture.toolkit.db.transaction((trx) => trx('batches').update({ poll_at: 0 })).catch(() => {})
    }, 200)
    const settled = () => fixture.toolkit.db.reader('batches').where('settled_at', '>', 0).pluck('batch_id')
    await expect
      .poll(settled, { timeout: 60_000 })
      .toEqual([id])
      .finally(() => clearInterval(hurry))

    expect(await fixture.balance()).toBe(before - halfPrice(5, 2))
    expect(await fixture.toolkit.db.reader('logs').where({ type: 2 }).pluck('user_id')).toEqual([fixture.person.id])
    expect(await (await fetch(`${second.url}${path}/${id}`, { headers })).json()).toMatchObject({ id })
    second.signal('SIGTERM')
    await second.exited
    const later = await releaseAllDead(fixture)
    expect(await later.ledger.verify()).toMatchObject({ equal: true, differences: [] })
  },
  240_000,
)
