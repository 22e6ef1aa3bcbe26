import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { describe, expect, test } from 'vitest'
import { TOKEN_STATUS } from '../../core/tokens/token.ts'
import { charges } from '../support/books.ts'
import { ask, post } from '../support/chat.ts'
import { customer, keyOf, MODEL, PRICE, setPrices } from '../support/gateway.ts'
import { completion, sendJson, startUpstream, usage } from '../support/hand-made-upstream.ts'
import { shared } from '../support/lifetime.ts'
import { secretOf, startServer } from '../support/server-process.ts'
import { openTestToolkit } from '../support/toolkit.ts'

/** What is edited anywhere is live everywhere within one second. */
// A machine that runs all tests at once takes longer for everything.
const LIVE_MS = process.env.CI === 'true' ? 3000 : 1000

/** One for each shop: what is edited in one is seen in no other. */
const MODELS = Array.from({ length: 24 }, (_, at) => `${MODEL}-${at}`)
const RATIOS = Object.fromEntries(MODELS.map((model) => [model, PRICE.modelRatio]))

const mockUpstreams = shared(async () => {
  const fixture = await openTestToolkit()
  const upstream = await startUpstream((exchange) => sendJson(exchange, completion('ok', usage(5, 5))))
  await setPrices(fixture, RATIOS)
  const { url } = await startServer(fixture)
  return { ...fixture, upstream, url }
})
let opened = 0

/** A model of its own on a channel of its own, and a customer, on the gateway that all tests share. */
async function openShop() {
  const fixture = mockUpstreams()
  const model = MODELS[opened++] as string
  const channel = await fixture.channel({ base_url: fixture.upstream.url, models: model })
  const buyer = await customer(fixture)
  const status = () => post({ url: fixture.url, key: buyer.key, body: ask(model) }).then(({ status }) => status)
  // By now the gateway has cached all that it caches.
  await expect.poll(status, { timeout: LIVE_MS, interval: 20 }).toBe(200)
  return { ...fixture, ...buyer, model, served: channel, status }
}
type Shop = Awaited<ReturnType<typeof openShop>>

const soon = (shop: Shop, status: number) => expect.poll(shop.status, { timeout: LIVE_MS, interval: 20 }).toBe(status)

/** `tollgate …` in a process of its own, over the same database. */
async function tollgate({ config }: Shop, ...words: string[]) {
  const bin = fileURLToPath(new URL('../../bin/tollgate.js', import.meta.url))
  const { PATH, HOME } = process.env
  await promisify(execFile)(process.execPath, [bin, ...words], {
    cwd: config.dataFolder,
    env: { PATH, HOME, DATABASE_URL: config.databaseUrl, TOLLGATE_SECRET: await secretOf(config) },
  })
}

describe('an edit by another process applies within one second', () => {
  test('disabling and enabling a token', async () => {
    const shop = await openShop()
    const { toolkit, person, bought } = shop

    await toolkit.tokens.setStatus(person, bought.id, TOKEN_STATUS.disabled)
    await soon(shop, 401)

    await toolkit.tokens.setStatus(person, bought.id, TOKEN_STATUS.enabled)
    await soon(shop, 200)
  })

  test('deleting a token', async () => {
    const shop = await openShop()

    await shop.toolkit.tokens.delete(shop.person, shop.bought.id)

    await soon(shop, 401)
  })

  test('creating a token whose key was tried before', async () => {
    const shop = await openShop()

    const key = keyOf(await shop.token(shop.person))

    await expect
      .poll(() => post({ url: shop.url, key, body: ask(shop.model) }).then(({ status }) => status), {
        timeout: LIVE_MS,
      })
      .toBe(200)
  })

  test('changing a ratio', async () => {
    const shop = await openShop()
    const dearer = { ...RATIOS, [shop.model]: PRICE.modelRatio * 2 }

    await shop.toolkit.options.set(shop.root, 'ModelRatio', JSON.stringify(dearer))

    const lastPrice = async () => {
      await shop.status()
      return (await charges(shop)).at(-1)?.quota
    }
    await expect.poll(lastPrice, { timeout: LIVE_MS, interval: 20 }).toBe(PRICE.modelRatio * 2 * (5 + 5))
  })

  test('disabling a channel, and deleting one', async () => {
    const shop = await openShop()
    const { toolkit, root, served } = shop

    await toolkit.channels.setStatus(root, served.id, 2)
    await soon(shop, 503)

    await toolkit.channels.setStatus(root, served.id, 1)
    await soon(shop, 200)

    await toolkit.channels.delete(root, served.id)
    await soon(shop, 404)
  })

  test('banning and unbanning a user', async () => {
    const shop = await openShop()
    const { toolkit, root, person } = shop

    await toolkit.accounts.manage(root, person.id, 'disable')
    await soon(shop, 403)

    await toolkit.accounts.manage(root, person.id, 'enable')
    await soon(shop, 200)
  })

  test('removing a balance, and restoring it', async () => {
    const shop = await openShop()
    const { toolkit, root, person } = shop

    await toolkit.accounts.setQuota(root, person.id, 0)
    await soon(shop, 403)

    await toolkit.accounts.setQuota(root, person.id, 1_000_000)
    await soon(shop, 200)
    expect(await toolkit.ledger.verify()).toMatchObject({ equal: true })
  })
})

describe('an edit by the command line applies within one second', () => {
  test('disabling and enabling a channel', async () => {
    const shop = await openShop()

    await tollgate(shop, 'channel', 'disable', String(shop.served.id))
    await soon(shop, 503)

    await tollgate(shop, 'channel', 'enable', String(shop.served.id))
    await soon(shop, 200)
  })

  test('disabling a token', async () => {
    const shop = await openShop()

    await tollgate(shop, 'token', 'disable', String(shop.bought.id))

    await soon(shop, 401)
  })

  test('setting an option', async () => {
    const shop = await openShop()

    await tollgate(shop, 'option', 'set', 'ModelRatio', JSON.stringify({ other: 1 }))

    await soon(shop, 400)
  })
})
