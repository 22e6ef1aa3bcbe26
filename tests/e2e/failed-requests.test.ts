import { setTimeout as sleep } from 'node:timers/promises'
import { beforeEach, expect, test, vi } from 'vitest'
import { createFolder, environmentIn, runHere } from '../cli/support.ts'
import { KEY, openSession } from '../cli/ui/terminal-session.ts'
import { openConsole, skipWithoutBrowser } from '../support/browser.ts'
import { ask, post } from '../support/chat.ts'
import { customer, MODEL, openTestGateway, setPrices } from '../support/gateway.ts'
import { chunk, type Exchange, sendJson, startUpstream } from '../support/hand-made-upstream.ts'

beforeEach(skipWithoutBrowser)
vi.setConfig({ testTimeout: 180_000 })

const fails = (status: number, message: string) => (exchange: Exchange) =>
  sendJson(exchange, { error: { message } }, status)

function breaks({ response }: Exchange): void {
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  response.write(`data: ${JSON.stringify(chunk({ role: 'assistant', content: 'one two' }))}\n\n`)
  setTimeout(() => response.destroy(), 50)
}

/** Failures of upstreams: model, upstream's reply, reason that administrators read, advice in the console. */
const UPSTREAMS = [
  ['broken', fails(500, 'the engine stopped'), 'the engine stopped', '上游出错'],
  ['limited', fails(429, 'too many tokens'), 'too many tokens', '限流'],
  ['banned', fails(401, 'the account is closed'), 'the account is closed', '密钥'],
  ['cut', breaks, 'upstream_broke', '上游出错'],
] as const

interface Kind {
  id: string
  /** Stated by console, CLI and TUI. */
  reason: string
  /** What the console advises. */
  advice: string
}

/** A gateway with one failed request of each kind: its id, and the texts that explain it. */
async function failedRequests() {
  const fixture = await openTestGateway()
  const { toolkit, root, url } = fixture
  await setPrices(fixture, Object.fromEntries(UPSTREAMS.map(([model]) => [model, 1])))
  await toolkit.options.set(root, 'RetryTimes', '0')
  await fixture.channel({ models: `${MODEL},no-price` })
  for (const [model, answer] of UPSTREAMS) {
    const upstream = await startUpstream(answer)
    await fixture.channel({ name: `channel-${model}`, base_url: upstream.url, models: model })
  }
  const { key } = await customer(fixture)
  const poor = await customer(fixture, { user: { quota: 1 } })
  const { key: used } = await customer(fixture, { token: { remain_quota: 1, unlimited_quota: false } })
  const { key: narrow } = await customer(fixture, { token: { model_limits_enabled: true, model_limits: 'other' } })
  const off = await customer(fixture)
  await toolkit.tokens.setStatus(off.person, off.bought.id, 2)

  const kinds: Kind[] = []
  const add = async (reason: string, advice: string, call: { key: string; body: unknown }) => {
    // Of many failures in a second, only some are written.
    await sleep(300)
    const { requestId: id } = await post({ url, ...call })
    kinds.push({ id, reason, advice })
  }
  await add('insufficient_user_quota', '余额', { key: poor.key, body: ask(MODEL) })
  await add('insufficient_token_quota', '额度', { key: used, body: ask(MODEL) })
  await add('token_disabled', '密钥', { key: off.key, body: ask(MODEL) })
  await add('token_model', '模型', { key: narrow, body: ask(MODEL) })
  await add('model_not_found', '模型', { key, body: ask('no-such-model') })
  await add('model_price_error', '价格', { key, body: ask('no-price') })
  for (const [model, , reason, advice] of UPSTREAMS)
    await add(reason, advice, { key, body: { ...ask(model), stream: model === 'cut' } })
  return { fixture, kinds }
}

test('the console, the CLI and the TUI explain ten kinds of failed requests by their ids', async () => {
  const { fixture, kinds } = await failedRequests()
  const { toolkit, root, url } = fixture
  expect(new Set(kinds.map(({ id }) => id)).size).toBe(10)
  const folder = await createFolder()
  const token = await toolkit.accessTokens.create(root)
  const env = { ...environmentIn(folder), TOLLGATE_SERVER: url, TOLLGATE_TOKEN: token }
  await expect.poll(async () => (await toolkit.logs.list(root, { type: 5 })).items.length).toBe(10)

  const { page } = await openConsole(fixture, { as: root })
  const terminal = openSession({ env, folder, rows: 40, columns: 120 })
  await terminal.sees('── Overview')
  for (const { id, reason, advice } of kinds) {
    await page.goto(`/request/${id}`)
    await page.getByRole('heading', { name: /^失败 \d{3}/ }).waitFor()
    expect(await page.getByRole('main').innerText()).toContain(reason)
    expect(await page.locator('.request-advice').innerText(), reason).toContain(advice)

    const { stdout } = await runHere(['log', 'trace', id], { env, folder })
    expect(stdout).toMatch(/^result: +\d{3} \w/m)
    expect(stdout).toContain(reason)

    await terminal.press(`:logs request=${id}\r`, /Logs · 1\/[12] /)
    await terminal.press(KEY.enter, '── Log row', /result +\d{3} \w/, reason)
    await terminal.press(KEY.escape, 'Logs · 1/')
  }
})
