import type { Locator, Page, Route } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { rowOf, tick, toast } from '../../support/arco.ts'
import { type Held, holdBack } from '../../support/browser/held.ts'
import { reusedConsole } from '../../support/browser.ts'
import type { TestGateway } from '../../support/gateway.ts'
import { MERCHANT, openPaymentPage } from '../../support/payment-page.ts'
import { reused } from '../../support/reused.ts'

const gateway = reused()
const open = reusedConsole()

/** Two clicks before the page can show anything of the first. */
const clickTwiceAtOnce = (button: Locator) =>
  button.evaluate((element) => {
    const press = () => element.dispatchEvent(new MouseEvent('click', { bubbles: true, cancelable: true }))
    press()
    press()
  })

const sent = (held: Held, count: number) => expect.poll(() => held.sent.length).toBe(count)

/** Opens the menu of the only row of that name, and answers the entry that switches it. */
async function entry(page: Page, name: string, state: '启用' | '禁用') {
  await page.getByRole('button', { name: new RegExp(`^更多操作 ${name}`) }).click()
  return page.getByRole('menuitem', { name: state })
}

/** A row that can be switched on each screen that has one, and the state that is stored for it. */
const SWITCHES = [
  {
    what: 'user',
    at: '/user',
    method: 'POST',
    address: '**/api/user/manage',
    async make(world: TestGateway) {
      const { id } = await world.user({ username: 'one' })
      return async () => (await world.toolkit.accounts.get(world.root, id)).status
    },
  },
  {
    what: 'token',
    at: '/token',
    method: 'PUT',
    address: '**/api/token/?status_only=true',
    async make(world: TestGateway) {
      await world.token(world.root, { name: 'one' })
      return async () => (await world.toolkit.tokens.list(world.root)).items[0]?.status
    },
  },
  {
    what: 'channel',
    at: '/channel',
    method: 'PUT',
    address: '**/api/channel/',
    async make(world: TestGateway) {
      const { id } = await world.channel({ name: 'one', models: 'm', base_url: 'http://127.0.0.1:9' })
      return async () => (await world.toolkit.channels.get(world.root, id)).status
    },
  },
  {
    what: 'redemption code',
    at: '/redemption',
    method: 'PUT',
    address: '**/api/redemption/?status_only=true',
    async make(world: TestGateway) {
      await world.toolkit.redemption.create(world.root, { name: 'one', quota: 5, count: 1 })
      return async () => (await world.toolkit.redemption.list(world.root)).items[0]?.status
    },
  },
]
const DISABLED = 2

describe.each(SWITCHES)('a $what', ({ at, method, address, make }) => {
  test('that is being disabled is not enabled by a second click', async () => {
    const world = await gateway()
    const status = await make(world)
    const { page } = await open(world, { as: world.root, at })
    const held = await holdBack(page, method, address)

    await (await entry(page, 'one', '禁用')).click()
    await (await entry(page, 'one', '启用')).click()
    await sent(held, 1)
    await held.letAll()

    await toast(page, '操作成功').waitFor()
    await (await entry(page, 'one', '启用')).waitFor()
    expect(held.sent).toHaveLength(1)
    expect(await status()).toBe(DISABLED)
  })

  test('is disabled by a double click, however fast the reply arrives', async () => {
    const world = await gateway()
    const status = await make(world)
    const { page } = await open(world, { as: world.root, at })
    const box = await (await entry(page, 'one', '禁用')).boundingBox()
    const place = { x: (box?.x ?? 0) + (box?.width ?? 0) / 2, y: (box?.y ?? 0) + (box?.height ?? 0) / 2 }

    await page.mouse.click(place.x, place.y)
    await toast(page, '操作成功').waitFor()
    await page.mouse.down({ clickCount: 2 })
    await page.mouse.up({ clickCount: 2 })
    await page.getByRole('button', { name: '刷新' }).click()

    await (await entry(page, 'one', '启用')).waitFor()
    expect(await status()).toBe(DISABLED)
  })
})

describe('rows that change one after the other', () => {
  test('keep their displayed state until each has its reply', async () => {
    const world = await gateway()
    await world.token(world.root, { name: 'one' })
    await world.token(world.root, { name: 'two' })
    const { page } = await open(world, { as: world.root, at: '/token' })
    const held = await holdBack(page, 'PUT', '**/api/token/?status_only=true')
    let lists = 0
    page.on('request', (request) => {
      if (request.method() === 'GET' && request.url().includes('/api/token/')) lists++
    })
    await (await entry(page, 'one', '禁用')).click()
    await (await entry(page, 'two', '禁用')).click()
    await sent(held, 2)
    const before = lists

    await held.letOne()
    await toast(page, '操作成功').waitFor()
    await page.evaluate(async () => void (await fetch('/api/status'))) // what the page had to ask for, it has asked for by now
    expect(lists - before).toBe(0)
    await rowOf(page, 'two').getByText('已禁用').waitFor()
    await held.letAll()

    await expect.poll(() => lists - before).toBe(1)
    const stored = (await world.toolkit.tokens.list(world.root)).items
    expect(stored.map(({ status }) => status)).toEqual([DISABLED, DISABLED])
  })

  test('end with the last typed number', async () => {
    const world = await gateway()
    const { id } = await world.channel({ name: 'one', models: 'm', base_url: 'http://127.0.0.1:9' })
    const { page } = await open(world, { as: world.root, at: '/channel' })
    const priority = rowOf(page, 'one').getByLabel('优先级')
    const held = await holdBack(page, 'PUT', '**/api/channel/')

    for (const number of ['5', '7']) {
      await priority.fill(number)
      await priority.press('Enter')
    }
    await sent(held, 1)
    await held.letOne()
    await sent(held, 2)
    await held.letAll()

    await expect.poll(async () => (await world.toolkit.channels.get(world.root, id)).priority).toBe(7)
    expect(held.sent).toEqual([
      { id, priority: 5 },
      { id, priority: 7 },
    ])
    expect(await priority.inputValue()).toBe('7')
  })
})

describe('a paid action', () => {
  test('is paid once, however often the buttons are clicked', async () => {
    const world = await gateway()
    const payment = await openPaymentPage()
    const settings = { ServerAddress: world.url, PayAddress: payment.url, EpayId: MERCHANT.id, EpayKey: MERCHANT.key }
    for (const [name, value] of Object.entries(settings)) await world.toolkit.options.set(world.root, name, value)
    const { page, expects } = await open(world, { as: await world.user(), at: '/topup' })
    expects(/from elsewhere: POST .*submit\.php/, /favicon/)
    const held = await holdBack(page, 'POST', '**/api/user/pay')
    await page.getByText(/^实付金额: \d/).waitFor()

    await clickTwiceAtOnce(page.getByRole('button', { name: '支付宝' }))
    const question = page.getByRole('dialog')
    await question.first().waitFor()
    await clickTwiceAtOnce(question.first().locator('.arco-btn-primary'))
    await sent(held, 1)
    await held.letAll()

    await question.first().waitFor({ state: 'detached' })
    expect(await question.count()).toBe(0)
    expect(held.sent).toHaveLength(1)
  })

  test('with a redemption code is sent once, and keeps later input', async () => {
    const world = await gateway()
    const person = await world.user({ quota: 0 })
    const code = await world.code(500_000)
    const { page } = await open(world, { as: person, at: '/topup' })
    const held = await holdBack(page, 'POST', '**/api/user/topup')
    const field = page.getByLabel('兑换码')
    await field.fill(code)

    await clickTwiceAtOnce(page.getByRole('button', { name: '兑换', exact: true }))
    await sent(held, 1)
    await field.fill('the next')
    await held.letAll()

    await page.getByRole('dialog').filter({ hasText: '成功兑换额度：$1.00' }).waitFor()
    expect(await field.inputValue()).toBe('the next')
    expect(held.sent).toHaveLength(1)
    expect(await world.balance(person)).toBe(500_000)
  })
})

test('without a reply reloads its current state before a retry', async () => {
  const world = await gateway()
  const alice = await world.user({ quota: 0 })
  await world.toolkit.db.transaction((trx) => trx('users').where({ id: alice.id }).update({ aff_quota: 1_500_000 }))
  const { page, expects } = await open(world, { as: alice, at: '/setting' })
  expects(/ERR_FAILED/)
  await page.route('**/api/user/aff_transfer', async (route) => {
    await route.fetch()
    await route.abort()
  })
  await page.getByRole('region', { name: '邀请' }).getByRole('button', { name: '划转' }).click()
  const dialog = page.getByRole('dialog', { name: '划转邀请额度' })
  await dialog.getByText('$3.00').waitFor()
  await dialog.getByLabel('划转额度').fill('500000')
  await page.keyboard.press('Enter')

  await toast(page, '无法连接服务器').waitFor()
  await dialog.getByText('$2.00').waitFor()
  expect(await world.balance(alice)).toBe(500_000)
})

test('selected channels are not enabled while they are being disabled', async () => {
  const world = await gateway()
  const { id } = await world.channel({ name: 'one', models: 'm', base_url: 'http://127.0.0.1:9' })
  const { page } = await open(world, { as: world.root, at: '/channel?batch=true' })
  const held = await holdBack(page, 'POST', '**/api/channel/batch/status')
  await tick(rowOf(page, 'one').getByRole('checkbox'))

  await page.getByRole('button', { name: '禁用所选渠道' }).click()
  await sent(held, 1)
  await page.getByRole('button', { name: '启用所选渠道' }).click()
  await held.letAll()

  await toast(page, '1').waitFor()
  expect(held.sent).toEqual([{ ids: [id], status: DISABLED }])
})

test('a confirmed action runs once, however often it is confirmed', async () => {
  const world = await gateway()
  await world.token(world.root, { name: 'one' })
  const { page } = await open(world, { as: world.root, at: '/token' })
  const held = await holdBack(page, 'DELETE', '**/api/token/*')
  await page.getByRole('button', { name: '更多操作 one' }).click()
  await page.getByRole('menuitem', { name: '删除' }).click()

  await clickTwiceAtOnce(page.getByRole('dialog').getByRole('button', { name: '删除' }))
  await sent(held, 1)
  await held.letAll()

  await toast(page, '操作成功').waitFor()
  await page.getByText('还没有令牌').waitFor()
  expect(held.sent).toHaveLength(1)
  expect(await page.locator('.arco-message-error').count()).toBe(0)
})

test('a dialog that a double click opens is not closed by the second click beside it', async () => {
  const world = await gateway()
  const { page } = await open(world, { as: world.root, at: '/channel' })
  const question = page.getByRole('dialog').filter({ hasText: '确定要删除禁用渠道吗？' })
  await page.getByRole('button', { name: '渠道维护' }).click()
  const box = await page.getByRole('menuitem', { name: '删除禁用渠道' }).boundingBox()
  const [x, y] = [(box?.x ?? 0) + (box?.width ?? 0) / 2, (box?.y ?? 0) + (box?.height ?? 0) / 2]

  await page.mouse.click(x, y)
  await question.waitFor()
  await page.mouse.down({ clickCount: 2 })
  await page.mouse.up({ clickCount: 2 })

  // A click of its own does; had there been no question any more, it would ask again.
  await page.mouse.click(x, y)
  await question.waitFor({ state: 'detached' })
})

test('a message sent by a double click gets its reply: the second click does not stop it', async () => {
  const world = await gateway()
  const { page } = await open(world, { as: world.root, at: '/playground' })
  await page.getByLabel('输入消息').fill('hello')
  const held = await holdBack(page, 'POST', '**/pg/chat/completions')

  const stop = page.getByRole('button', { name: '停止生成' })
  await page.getByRole('button', { name: '发送' }).click()
  await sent(held, 1)
  await stop.dispatchEvent('click', { detail: 2 })

  await stop.click() // one of its own
  await page.getByText('已停止').waitFor()
})

test('a double click copies a channel once', async () => {
  const world = await gateway()
  await world.channel({ name: 'one', models: 'm', base_url: 'http://127.0.0.1:9' })
  const { page } = await open(world, { as: world.root, at: '/channel' })
  const held = await holdBack(page, 'POST', '**/copy')
  await page.getByRole('button', { name: '更多操作 one', exact: true }).click()

  await clickTwiceAtOnce(page.getByRole('menuitem', { name: '复制' }))
  await sent(held, 1)
  await held.letAll()

  await toast(page, '渠道复制成功').waitFor()
  expect(held.sent).toHaveLength(1)
})

describe('a form that is being saved', () => {
  test('cannot be changed meanwhile, and keeps input and focus if it is rejected', async () => {
    const world = await gateway()
    const { page } = await open(world, { as: world.root, at: '/user?add' })
    const drawer = page.getByRole('dialog')
    const name = drawer.getByLabel('用户名')
    await name.fill('root')
    await drawer.getByLabel('密码', { exact: true }).fill('a password')
    const held = await holdBack(page, 'POST', '**/api/user/')
    await name.press('Enter')
    await sent(held, 1)

    await page.keyboard.type('lost')
    await page.keyboard.press('Enter')
    await held.letAll()

    await page.locator('.arco-message-error').waitFor()
    expect(await name.inputValue()).toBe('root')
    await expect.poll(() => name.evaluate((field) => field === document.activeElement)).toBe(true)
    expect(held.sent).toHaveLength(1)
  })
})

describe('a dialog that was reopened before the reply', () => {
  test('keeps the amount typed for a balance', async () => {
    const world = await gateway()
    const { id } = await world.user({ username: 'alice', quota: 0 })
    const { page } = await open(world, { as: world.root, at: `/user/edit/${id}` })
    const held = await holdBack(page, 'POST', `**/api/user/${id}/quota`)
    const dialog = page.getByRole('dialog', { name: '添加额度' })
    await page.getByRole('button', { name: '添加额度' }).click()
    await dialog.getByLabel('添加额度').fill('500000')
    await page.keyboard.press('Enter')
    await sent(held, 1)

    await dialog.getByRole('button', { name: '取消' }).click()
    await page.getByRole('button', { name: '添加额度' }).click()
    await dialog.getByLabel('添加额度').fill('7')
    await held.letAll()

    await toast(page, '操作成功').waitFor()
    await dialog.getByText('$1.00').waitFor() // the balance after it
    expect(await dialog.getByLabel('添加额度').inputValue()).toBe('7')
  })

  test('keeps the tag typed for channels', async () => {
    const world = await gateway()
    await world.channel({ name: 'one', models: 'm', base_url: 'http://127.0.0.1:9' })
    const { page } = await open(world, { as: world.root, at: '/channel?batch=true' })
    const held = await holdBack(page, 'POST', '**/api/channel/batch/tag')
    const dialog = page.getByRole('dialog', { name: '批量设置标签' })
    const field = dialog.getByRole('textbox')
    await tick(rowOf(page, 'one').getByRole('checkbox'))
    await page.getByRole('button', { name: '批量设置标签' }).click()
    await field.fill('first')
    await page.keyboard.press('Enter')
    await sent(held, 1)

    await dialog.getByRole('button', { name: '取消' }).click()
    await page.getByRole('button', { name: '批量设置标签' }).click()
    await field.fill('second')
    await held.letAll()

    await rowOf(page, 'one').getByText('first').waitFor()
    expect(await field.inputValue()).toBe('second')
  })
})

describe('an amount whose reply was lost', () => {
  /** Delivers the first of these calls to the gateway, and drops its reply. */
  async function loseFirst(page: Page, url: string) {
    const requests: string[] = []
    await page.route(url, async (route) => {
      requests.push(route.request().headers()['idempotency-key'] ?? '')
      if (requests.length > 1) return route.continue()
      await route.fetch()
      await route.abort('connectionreset')
    })
    return requests
  }

  test('is added once on a retry, and once more after the dialog is reopened', async () => {
    const world = await gateway()
    const { id } = await world.user({ username: 'alice', quota: 0 })
    const { page, expects } = await open(world, { as: world.root, at: `/user/edit/${id}` })
    expects(/ERR_CONNECTION_RESET/)
    const requests = await loseFirst(page, `**/api/user/${id}/quota`)
    const dialog = page.getByRole('dialog', { name: '添加额度' })
    const balance = async () => (await world.toolkit.accounts.get(world.root, id)).quota
    await page.getByRole('button', { name: '添加额度' }).click()
    await dialog.getByLabel('添加额度').fill('500000')
    await page.keyboard.press('Enter')
    await page.locator('.arco-message-error').waitFor()
    expect(await balance()).toBe(500_000)

    await dialog.getByRole('button', { name: '确定' }).click()
    await dialog.waitFor({ state: 'hidden' })
    expect(await balance()).toBe(500_000)
    await page.getByRole('button', { name: '添加额度' }).click()
    await dialog.getByLabel('添加额度').fill('500000')
    await page.keyboard.press('Enter')
    await dialog.waitFor({ state: 'hidden' })
    expect(await balance()).toBe(1_000_000)
    expect(requests[0]).toBe(requests[1])
    expect(requests[2]).not.toBe(requests[1])
  })

  test('is moved once', async () => {
    const world = await gateway()
    const ann = await world.user({ quota: 0 })
    await world.toolkit.db.transaction((trx) => trx('users').where({ id: ann.id }).update({ aff_quota: 1_500_000 }))
    const { page, expects } = await open(world, { as: ann, at: '/setting' })
    expects(/ERR_CONNECTION_RESET/)
    await loseFirst(page, '**/api/user/aff_transfer')
    await page.getByRole('button', { name: '划转' }).first().click()
    const dialog = page.getByRole('dialog').filter({ hasText: '划转' })
    await dialog.getByRole('spinbutton').fill('500000')
    await page.keyboard.press('Enter')
    await page.locator('.arco-message-error').waitFor()
    await page.keyboard.press('Enter')
    await toast(page, '划转成功').waitFor()
    expect(await world.toolkit.profile.get(ann)).toMatchObject({ quota: 500_000, aff_quota: 1_000_000 })
  })

  test('is moved once, though less than it remains by then', async () => {
    const world = await gateway()
    const ann = await world.user({ quota: 0 })
    await world.toolkit.db.transaction((trx) => trx('users').where({ id: ann.id }).update({ aff_quota: 2_000_000 }))
    const { page, expects } = await open(world, { as: ann, at: '/setting' })
    expects(/ERR_CONNECTION_RESET/)
    await loseFirst(page, '**/api/user/aff_transfer')
    await page.getByRole('button', { name: '划转' }).first().click()
    const dialog = page.getByRole('dialog').filter({ hasText: '划转' })
    await dialog.getByRole('spinbutton').fill('1500000')
    await page.keyboard.press('Enter')
    await page.locator('.arco-message-error').waitFor()
    await dialog.getByText('$1.00').first().waitFor() // what is left
    await page.keyboard.press('Enter')
    await toast(page, '划转成功').waitFor()
    expect(await world.toolkit.profile.get(ann)).toMatchObject({ quota: 1_500_000, aff_quota: 500_000 })
  })

  test('is added once, though the reply to an earlier equal one arrives meanwhile', async () => {
    const world = await gateway()
    const { id } = await world.user({ username: 'alice', quota: 0 })
    const { page, expects } = await open(world, { as: world.root, at: `/user/edit/${id}` })
    expects(/ERR_CONNECTION_RESET/)
    const waiting: Route[] = []
    await page.route(`**/api/user/${id}/quota`, (route) => {
      if (waiting.push(route) > 2) return route.continue()
    })
    const dialog = page.getByRole('dialog', { name: '添加额度' })
    const add = async (calls: number) => {
      await page.getByRole('button', { name: '添加额度' }).click()
      await dialog.getByLabel('添加额度').fill('500000')
      await page.keyboard.press('Enter')
      await expect.poll(() => waiting.length).toBe(calls)
    }
    await add(1)
    await dialog.getByRole('button', { name: '取消' }).click()
    await dialog.waitFor({ state: 'detached' })
    await add(2)
    await waiting[0]?.continue()
    await toast(page, '操作成功').waitFor()
    await waiting[1]?.fetch()
    await waiting[1]?.abort('connectionreset')
    await page.locator('.arco-message-error').waitFor()
    await dialog.getByRole('button', { name: '确定' }).click()
    await dialog.waitFor({ state: 'hidden' })
    expect(waiting).toHaveLength(3)
    expect((await world.toolkit.accounts.get(world.root, id)).quota).toBe(1_000_000)
  })
})

test('a late balance reply does not change the form of another user', async () => {
  const world = await gateway()
  const alice = await world.user({ username: 'alice', quota: 1_000_000 })
  const bob = await world.user({ username: 'bob', quota: 2_000 })
  const { page } = await open(world, { as: world.root, at: '/user' })
  const held = await holdBack(page, 'POST', `**/api/user/${alice.id}/quota`)
  await page.getByRole('button', { name: '编辑 alice' }).click()
  await page.getByRole('button', { name: '添加额度' }).click()
  await page.getByRole('dialog', { name: '添加额度' }).getByLabel('添加额度').fill('500000')
  await page.keyboard.press('Enter')
  await sent(held, 1)

  await page.goBack()
  await page.getByRole('dialog').first().waitFor({ state: 'detached' })
  await page.getByRole('button', { name: '编辑 bob' }).click()
  const drawer = page.getByRole('dialog')
  const balance = drawer.getByLabel('剩余额度', { exact: true })
  await expect.poll(() => balance.inputValue()).toBe('2000')
  await held.letAll()

  await toast(page, '操作成功').waitFor()
  expect(await balance.inputValue()).toBe('2000')
  await drawer.getByLabel('显示名称').fill('Bob')
  await drawer.getByRole('button', { name: '提交' }).click()
  await toast(page, '用户信息更新成功').waitFor()
  expect(await world.balance(bob)).toBe(2_000)
  expect(await world.balance(alice)).toBe(1_500_000)
})
