import { expect, test } from 'vitest'
import { charges, held } from '../support/books.ts'
import { ask, post, send } from '../support/chat.ts'
import { customer, MODEL, setPrices } from '../support/gateway.ts'
import { completion, sendJson, startUpstream, usage } from '../support/hand-made-upstream.ts'
import { startServer } from '../support/server-process.ts'
import { openTestToolkit } from '../support/toolkit.ts'

test('the open holds of a dead process are released within a minute, in real time', async () => {
  const world = await openTestToolkit()
  const upstream = await startUpstream((exchange) => {
    if (exchange.body.user !== 'waits for ever') sendJson(exchange, completion('ok', usage(9, 1)))
  })
  await setPrices(world)
  await world.channel({ base_url: upstream.url, models: MODEL })
  const { key } = await customer(world, { user: { quota: 100_000 } })
  const [doomed, other] = [await startServer(world), await startServer(world)]
  const waiting = send({ url: doomed.url, key, body: ask(MODEL, { user: 'waits for ever' }) }).catch(() => 'cut')
  await expect.poll(() => upstream.seen.length, { timeout: 5000 }).toBe(1)
  expect((await post({ url: other.url, key, body: ask(MODEL) })).status).toBe(200)

  doomed.signal('SIGKILL')
  const diedAt = Date.now()
  expect(await waiting).toBe('cut')
  // The process that lives has given its own back by then: what is left is the dead one's.
  await expect.poll(() => world.toolkit.db.reader('holds').select('node_id'), { timeout: 2000 }).toHaveLength(1)
  expect(await held(world)).toBeGreaterThan(0)

  await expect.poll(() => held(world), { timeout: 60_000, interval: 250 }).toBe(0)
  expect(Date.now() - diedAt).toBeLessThan(60_000)
  expect(await world.toolkit.db.reader('nodes').select('id')).toHaveLength(1)
  expect(await charges(world)).toHaveLength(1)
  expect(await world.toolkit.ledger.verify()).toMatchObject({ equal: true })
}, 180_000)
