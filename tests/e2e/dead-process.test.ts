import { expect, test } from 'vitest'
import { charges, held } from '../support/books.ts'
import { ask, post, send } from '../support/chat.ts'
import { customer, MODEL, setPrices } from '../support/gateway.ts'
import { completion, sendJson, startUpstream, usage } from '../support/hand-made-upstream.ts'
import { startServer } from '../support/server-process.ts'
import { openTestToolkit } from '../support/toolkit.ts'

test('the open holds of a dead process are released within a minute, in real time', async () => {
  const fixture = await openTestToolkit()
  const upstream = await startUpstream((exchange) => {
    if (exchange.body.user !== 'waits for ever') sendJson(exchange, completion('ok', usage(9, 1)))
  })
  await setPrices(fixture)
  await fixture.channel({ base_url: upstream.url, models: MODEL })
  const { key } = await customer(fixture, { user: { quota: 100_000 } })
  const [doomed, other] = [await startServer(fixture), await startServer(fixture)]
  const waiting = send({ url: doomed.url, key, body: ask(MODEL, { user: 'waits for ever' }) }).catch(() => 'cut')
  await expect.poll(() => upstream.seen.length).toBe(1)
  expect((await post({ url: other.url, key, body: ask(MODEL) })).status).toBe(200)

  doomed.signal('SIGKILL')
  const diedAt = Date.now()
  expect(await waiting).toBe('cut')
  // The process that lives has given its own back by then: what is left is the dead one's.
  await expect.poll(() => fixture.toolkit.db.reader('holds').select('node_id')).toHaveLength(1)
  expect(await held(fixture)).toBeGreaterThan(0)

  await expect.poll(() => held(fixture), { timeout: 60_000, interval: 250 }).toBe(0)
  expect(Date.now() - diedAt).toBeLessThan(60_000)
  expect(await fixture.toolkit.db.reader('nodes').select('id')).toHaveLength(1)
  expect(await charges(fixture)).toHaveLength(1)
  expect(await fixture.toolkit.ledger.verify()).toMatchObject({ equal: true })
}, 180_000)
