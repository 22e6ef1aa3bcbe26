import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { TOKEN_STATUS } from '../../../core/tokens/token.ts'
import { choose, rowOf, tick, toast } from '../../support/arco.ts'
import { BOTH_THEMES, expectAccessible } from '../../support/browser/accessible.ts'
import { CLIPBOARD, copied, refuseToCopy } from '../../support/browser/clipboard.ts'
import { withoutEmbeddedStatus } from '../../support/browser/without-status.ts'
import { reusedConsole } from '../../support/browser.ts'
import { keyOf } from '../../support/gateway.ts'
import { reused } from '../../support/reused.ts'

const gateway = reused()
const open = reusedConsole()

const drawer = (page: Page) => page.getByRole('dialog')
const submit = (page: Page) => drawer(page).getByRole('button', { name: '提交' }).click()
const more = (page: Page, name: string, item: string) =>
  page
    .getByRole('button', { name: `更多操作 ${name}` })
    .click()
    .then(() => page.getByRole('menuitem', { name: item }).click())

/** A user at the list of their tokens, which has these names. */
async function withTokens(...names: string[]) {
  const world = await gateway()
  const person = await world.user()
  const tokens = []
  for (const name of names) tokens.push(await world.token(person, { name }))
  const opened = await open(world, { as: person, at: '/token', browser: CLIPBOARD })
  const list = async () => (await world.toolkit.tokens.list(person)).items
  return { world, person, tokens, list, ...opened }
}

describe('new tokens', () => {
  test('are validated', async () => {
    const { page } = await withTokens()
    await page.getByText('还没有令牌').waitFor()
    await page.getByRole('button', { name: '添加令牌' }).last().click()
    await expect.poll(() => new URL(page.url()).search).toBe('?open=new')
    await drawer(page).getByLabel('过期时间').first().fill('soon')
    await drawer(page).getByLabel('新建数量').fill('0')
    await page.getByRole('option').first().waitFor()
    await expect.poll(() => page.getByRole('option').allInnerTexts()).toEqual(['10', '20', '30', '100'])
    await submit(page)
    await toast(page, '过期时间格式错误！').waitFor()
    expect(await toast(page, '请检查输入').count()).toBe(0)
    expect(await toast(page, '过期时间格式错误！').count()).toBe(1)
    await drawer(page).getByText('请输入名称').waitFor()
    await drawer(page).getByText('新建数量必须是正整数').waitFor()
    for (const [label, problem] of [
      ['名称', '请输入名称'],
      ['新建数量', '新建数量必须是正整数'],
    ] as const) {
      const description = (input: Element) =>
        document.getElementById(input.getAttribute('aria-describedby') ?? '')?.innerText
      await expect
        .poll(() => drawer(page).getByLabel(label).first().evaluate(description), { message: label })
        .toBe(problem)
    }
    await drawer(page).getByLabel('过期时间').first().fill('2020-01-01')
    await submit(page)
    await toast(page, '过期时间必须晚于现在；留空则永不过期').waitFor()
    await expectAccessible(page, { include: '[role="dialog"]', themes: BOTH_THEMES })
    await drawer(page).getByLabel('名称').fill('   ')
    await drawer(page).getByLabel('新建数量').fill('101')
    await submit(page)
    await drawer(page).getByText('一次最多新建 100 个令牌').waitFor()
    await drawer(page).getByText('请输入名称').waitFor()
    await drawer(page).getByLabel('名称').fill('a'.repeat(24))
    await drawer(page).getByText('新建多个时名称最多 23 个字符').waitFor()
  })

  test('accept a pasted amount with an exponent, up to the maximum', async () => {
    const world = await gateway()
    const { page } = await open(world, { as: world.root, at: '/token?open=new' })
    const quota = drawer(page).getByLabel('额度', { exact: true })
    await quota.fill('1e20')
    await quota.blur()
    expect(await quota.inputValue()).toBe(String(Number.MAX_SAFE_INTEGER))
    await quota.fill('2e3')
    await quota.blur()
    expect(await quota.inputValue()).toBe('2000')
  })

  test('are created with the chosen budget and expiry, and their keys are shown', async () => {
    const { page, list } = await withTokens()
    await page.goto('/token?open=new')
    expect(await drawer(page).getByLabel('额度', { exact: true }).inputValue()).toBe('500000')
    await drawer(page).getByLabel('名称').fill('app')
    await drawer(page).getByRole('button', { name: '一个月' }).click()
    await drawer(page).getByRole('button', { name: '$1,000' }).click()
    await drawer(page).getByLabel('新建数量').fill('3')
    await submit(page)
    await toast(page, '成功创建 3 个令牌！').waitFor()

    const made = await list()
    const names = made.map(({ name }) => name).reverse()
    expect(names).toEqual(['app', expect.stringMatching(/^app-\w{6}$/), expect.stringMatching(/^app-\w{6}$/)])
    const month = Date.now() / 1000 + 30 * 86_400
    for (const token of made) {
      expect(token).toMatchObject({ remain_quota: 500_000_000, unlimited_quota: false, status: TOKEN_STATUS.enabled })
      expect(Math.abs(token.expired_time - month)).toBeLessThan(60)
    }
    const dialog = page.getByRole('dialog').filter({ hasText: '新建的 3 个令牌' })
    await dialog.getByRole('button', { name: '复制 app', exact: true }).click()
    await expect.poll(() => copied(page)).toBe(made.flatMap((token) => (token.name === 'app' ? [keyOf(token)] : []))[0])
    await dialog.getByRole('button', { name: '全部复制' }).click()
    await expect.poll(async () => (await copied(page)).split('\n').length).toBe(3)
    await expectAccessible(page, { include: '[role="dialog"]' })
    await dialog.getByRole('button', { name: '关闭' }).click()
    await expect.poll(() => page.getByRole('row').count()).toBe(4)
  })

  test('that were created before a rejection are not lost, and the rest can follow', async () => {
    const { page, list } = await withTokens()
    let calls = 0
    await page.route('**/api/token/?answer=record', (route) =>
      ++calls === 3 ? route.fulfill({ json: { success: false, message: '生成令牌失败' } }) : route.fallback(),
    )
    await page.goto('/token?open=new')
    await drawer(page).getByLabel('名称').fill('batch')
    await drawer(page).getByLabel('新建数量').fill('4')

    await submit(page)
    await toast(page, '生成令牌失败').waitFor()
    await drawer(page).getByText('已创建 2 个令牌').waitFor()
    expect(await drawer(page).getByLabel('新建数量').inputValue()).toBe('2')
    expect(await list()).toHaveLength(2)

    await submit(page)
    await page.getByRole('dialog').filter({ hasText: '新建的 4 个令牌' }).waitFor()
    const names = (await list()).map(({ name }) => name)
    expect(names.filter((name) => name === 'batch')).toHaveLength(1)
    expect(names.filter((name) => /^batch-\w{6}$/.test(name))).toHaveLength(3)
  })

  test('beyond the rate limit can follow later, and the drawer says so', async () => {
    const { page, list, expects } = await withTokens()
    expects(/status of 429/, /answer: 429/)
    let calls = 0
    let full = true
    await page.route('**/api/token/?**', (route) => {
      if (route.request().method() === 'POST') calls += 1
      return full && calls > 2 ? route.fulfill({ status: 429 }) : route.fallback()
    })
    await page.goto('/token?open=new')
    await drawer(page).getByLabel('名称').fill('  spaced out  ')
    await drawer(page).getByLabel('新建数量').fill('4')

    await submit(page)
    await toast(page, '错误：请求次数过多，请稍后再试！').waitFor()
    await drawer(page).getByText('已创建 2 个令牌。短时间内的请求太多').waitFor()
    expect(await drawer(page).getByLabel('新建数量').inputValue()).toBe('2')
    await expectAccessible(page, { include: '[role="dialog"]', themes: BOTH_THEMES })

    full = false
    await submit(page)
    await page.getByRole('dialog').filter({ hasText: '新建的 4 个令牌' }).waitFor()
    const names = (await list()).map(({ name }) => name).sort()
    expect(names).toEqual([
      'spaced out',
      ...Array.from({ length: 3 }, () => expect.stringMatching(/^spaced out-\w{6}$/)),
    ])
  })

  test.each([
    ['its button', (page: Page) => drawer(page).getByRole('button', { name: '取消' }).click()],
    ['the browser’s back', (page: Page) => page.goBack()],
  ])('stop if the drawer is closed by %s, and the created ones are shown', async (_, close) => {
    const { page, list } = await withTokens()
    const held: (() => void)[] = []
    await page.route('**/api/token/?answer=record', async (route) => {
      await new Promise<void>((resolve) => held.push(resolve))
      await route.fallback()
    })
    const release = async (count: number) => {
      await expect.poll(() => held.length).toBe(count)
      held[count - 1]?.()
    }
    await page.getByRole('button', { name: '添加令牌' }).last().click()
    await drawer(page).getByLabel('名称').fill('first')
    await drawer(page).getByLabel('新建数量').fill('3')
    await submit(page)
    await release(1)
    await expect.poll(() => held.length).toBe(2)
    await close(page)
    await expect.poll(() => new URL(page.url()).search).toBe('')
    await drawer(page).waitFor({ state: 'hidden' }) // the address is there before the page
    await release(2)

    const dialog = page.getByRole('dialog').filter({ hasText: '新建的 2 个令牌' })
    await dialog.waitFor()
    await expect.poll(() => page.getByRole('row').count()).toBe(3)
    expect(held).toHaveLength(2)
    expect(await list()).toHaveLength(2)
    await dialog.getByRole('button', { name: '关闭' }).last().click()

    await page.getByRole('button', { name: '添加令牌' }).click()
    await drawer(page).getByLabel('名称').fill('later')
    await submit(page)
    await release(3)
    await page.getByRole('dialog').filter({ hasText: '新建的 1 个令牌' }).waitFor()
    await rowOf(page, 'later').waitFor()
  })

  test('are not lost by the browser’s back button without a prompt', async () => {
    const { page } = await withTokens()
    await page.getByRole('button', { name: '添加令牌' }).first().click()
    await drawer(page).getByLabel('名称').fill('half')

    await page.goBack()

    await page
      .getByRole('dialog')
      .filter({ hasText: '有未保存的修改' })
      .getByRole('button', { name: '继续编辑' })
      .click()
    expect(await drawer(page).getByLabel('名称').inputValue()).toBe('half')
  })

  test('can be limited to models, addresses and a group, whose ratio is shown', async () => {
    const world = await gateway()
    await world.toolkit.options.set(world.root, 'GroupRatio', '{"default":1,"vip":6}')
    await world.toolkit.options.set(world.root, 'UserUsableGroups', '{"default":"普通","vip":"贵宾"}')
    await world.channel({ models: 'gpt-4o,o3-mini' })
    const person = await world.user()
    const { page } = await open(world, { as: person, at: '/token?open=new' })

    await drawer(page).getByLabel('名称').fill('limited')
    await drawer(page).getByLabel('无限额度').click()
    expect(await drawer(page).getByLabel('额度', { exact: true }).isDisabled()).toBe(true)
    await choose(drawer(page), '限制可用模型', 'o3-mini')
    await drawer(page).getByLabel('IP 白名单').fill('10.0.0.1\n192.168.0.0/16')
    await drawer(page).getByLabel('令牌分组').click()
    const vip = page.getByRole('option', { name: 'vip：贵宾' })
    expect(await vip.locator('.arco-tag-red').innerText()).toBe('6x 倍率')
    await vip.click()
    await submit(page)

    await toast(page, '令牌创建成功！').waitFor()
    const [token] = (await world.toolkit.tokens.list(person)).items
    expect(token).toMatchObject({
      unlimited_quota: true,
      expired_time: -1,
      model_limits_enabled: true,
      model_limits: 'o3-mini',
      allow_ips: '10.0.0.1\n192.168.0.0/16',
      group: 'vip',
    })
    await page.getByRole('dialog').getByRole('button', { name: '关闭' }).click()
    await rowOf(page, 'limited').getByText('已启用：限制模型').waitFor()
  })
})

describe('an edit', () => {
  test('saves changed fields, but not the quota spent meanwhile', async () => {
    const { page, world, person } = await withTokens()
    const { id } = await world.token(person, { name: 'old', unlimited_quota: false, remain_quota: 1000 })
    await page.goto(`/token?open=${id}`) // the address opens it
    await submit(page)
    await toast(page, '你似乎并没有修改什么').waitFor()
    await drawer(page).getByLabel('名称').fill('new')
    await world.toolkit.tokens.update(person, id, { remain_quota: 400 })

    await submit(page)

    await toast(page, '令牌更新成功！').waitFor()
    expect(await world.toolkit.tokens.get(person, id)).toMatchObject({ name: 'new', remain_quota: 400 })
    await rowOf(page, 'new').waitFor()
    await page.waitForURL('/token')
  })

  test('that removes the cause enables an exhausted token again', async () => {
    const { page, world, person } = await withTokens()
    const { id } = await world.token(person, { name: 'empty', unlimited_quota: false, remain_quota: 0 })
    await world.toolkit.tokens.recordUnusable(id)
    await page.reload()

    await rowOf(page, 'empty').getByText('已耗尽').waitFor()
    await page.getByRole('button', { name: '更多操作 empty' }).click()
    expect(await page.getByRole('menuitem', { name: '启用' }).getAttribute('aria-disabled')).toBe('true')
    await page.getByRole('menuitem', { name: '编辑' }).click()
    await drawer(page).getByRole('button', { name: '$10', exact: true }).click()
    await submit(page)

    await rowOf(page, 'empty').getByText('已启用').waitFor()
    const { status } = await world.toolkit.tokens.get(person, id)
    expect(status).toBe(TOKEN_STATUS.enabled)
  })

  test('of a deleted token says so', async () => {
    const { page } = await withTokens()

    await page.goto('/token?open=4711')

    await drawer(page).getByRole('alert').filter({ hasText: '未能加载' }).waitFor()
    expect(await drawer(page).getByRole('button', { name: '提交' }).isDisabled()).toBe(true)
  })
})

describe('a token in the list', () => {
  test('hides its key after a logout', async () => {
    const { page, context } = await withTokens('mine')
    await more(page, 'mine', '查看密钥')
    await page.getByLabel('密钥', { exact: true }).waitFor()

    const otherTab = await context.newPage()
    await otherTab.goto('/logo.png')
    await otherTab.evaluate(() => localStorage.removeItem('user')) // as a logout does

    await page.waitForURL('/login')
    await page.getByLabel('密钥', { exact: true }).waitFor({ state: 'detached' })
  })

  test('can be copied, shown, and used in a shell snippet', async () => {
    const { page, tokens, world } = await withTokens('mine')
    const [token] = tokens
    if (!token) throw new Error('no token')
    await world.toolkit.options.set(world.root, 'ServerAddress', 'https://gateway.test')
    await page.reload()

    await rowOf(page, 'mine').getByRole('button', { name: '复制 mine 的密钥' }).click()
    await toast(page, '已复制到剪贴板！').waitFor()
    expect(await copied(page)).toBe(keyOf(token))
    await more(page, 'mine', '复制为环境变量')
    await expect.poll(() => copied(page)).toContain('export OPENAI_BASE_URL="https://gateway.test/v1"')
    expect(await copied(page)).toContain(`export ANTHROPIC_API_KEY="${keyOf(token)}"`)
    await more(page, 'mine', '复制 curl 命令')
    await expect.poll(() => copied(page)).toContain('curl https://gateway.test/v1/models')
    await more(page, 'mine', '查看密钥')
    expect(await page.getByLabel('密钥', { exact: true }).inputValue()).toBe(keyOf(token))
    await page.getByRole('dialog').getByRole('button', { name: '关闭' }).last().click()
    await page.getByRole('dialog').waitFor({ state: 'hidden' })

    await refuseToCopy(page)
    await rowOf(page, 'mine').getByRole('button', { name: '复制 mine', exact: true }).click()
    await page.getByText('无法复制到剪贴板，请手动复制').first().waitFor()
    expect(await page.getByRole('textbox', { name: '无法复制到剪贴板，请手动复制' }).inputValue()).toBe(keyOf(token))
  })

  test('keeps its key on this page', async () => {
    const { page } = await withTokens('mine')
    await page.getByRole('link', { name: '钱包' }).click()
    await page.getByRole('heading', { level: 1, name: '钱包' }).waitFor()
    await page.goBack()
    await more(page, 'mine', '查看密钥')
    await page.getByLabel('密钥', { exact: true }).waitFor()

    await page.goForward()

    await page.getByRole('heading', { level: 1, name: '钱包' }).waitFor()
    await page.getByLabel('密钥', { exact: true }).waitFor({ state: 'detached' })
  })

  test('shows the year of its expiry, or never', async () => {
    const world = await gateway()
    const person = await world.user()
    const expired_time = Date.UTC(2100, 0, 31, 4) / 1000
    await world.token(person, { name: 'long', expired_time })
    await world.token(person, { name: 'endless', expired_time: 1e15 })
    const { page } = await open(world, { as: person, at: '/token' })

    await rowOf(page, 'long').getByText('2100/01/31 12:00:00').waitFor()
    await rowOf(page, 'endless').getByText('1000000000000000').waitFor()
  })

  test('is disabled immediately, and re-enabled if the server rejects it', async () => {
    const { page, list } = await withTokens('mine')

    await more(page, 'mine', '禁用')
    await toast(page, '操作成功完成！').waitFor()
    await rowOf(page, 'mine').getByText('已禁用').waitFor()
    expect((await list())[0]?.status).toBe(TOKEN_STATUS.disabled)

    await page.route('**/api/token/?status_only=true', (route) =>
      route.fulfill({ json: { success: false, message: '令牌已过期，无法启用' } }),
    )
    await more(page, 'mine', '启用')
    await toast(page, '令牌已过期，无法启用').waitFor()
    await rowOf(page, 'mine').getByText('已禁用').waitFor()
  })

  test('is deleted after confirmation, by keyboard as well', async () => {
    const { page, list } = await withTokens('mine')
    await page.getByRole('button', { name: '更多操作 mine' }).focus()

    await page.keyboard.press('Enter')
    await page.getByRole('menuitem', { name: '查看密钥' }).waitFor()
    await page.keyboard.press('ArrowUp') // the last
    await page.keyboard.press('Enter')
    const question = page.getByRole('dialog').filter({ hasText: '确定删除令牌“mine”？' })
    await question.waitFor()
    await expectAccessible(page, { include: '[role="dialog"]', themes: BOTH_THEMES })
    await question.getByRole('button', { name: '取消' }).click()
    expect(await list()).toHaveLength(1)

    await more(page, 'mine', '删除')
    await question.getByRole('button', { name: '删除' }).click()
    await page.getByText('还没有令牌').waitFor()
    expect(await list()).toHaveLength(0)
  })

  test('cannot be opened in a chat application while the list of applications cannot be read', async () => {
    const { page } = await withTokens('mine')
    await withoutEmbeddedStatus(page)
    await page.route('**/api/status', async (route) => {
      const answer = await (await route.fetch()).json()
      await route.fulfill({ json: { ...answer, data: { ...answer.data, chats: [{ Broken: 5 }] } } })
    })
    await page.reload()
    await page.waitForLoadState('networkidle')

    await more(page, 'mine', '聊天')

    await toast(page, '聊天数据解析失败').waitFor()
  })

  test('opens in a chat application, with its key and the server address', async () => {
    const { page, context, world, tokens } = await withTokens('mine')
    const configure = async (chats: string) => {
      await world.toolkit.options.set(world.root, 'Chats', chats)
      await page.reload()
      await page.getByRole('button', { name: '更多操作 mine' }).click()
    }
    await world.toolkit.options.set(world.root, 'ServerAddress', 'https://gateway.test')
    await context.route('https://chat.test/**', (route) => route.fulfill({ body: 'chat' }))

    await configure('[]')
    await page.getByRole('menuitem', { name: '聊天' }).click()
    await toast(page, '请联系管理员配置聊天链接').waitFor()
    await configure('[{"Broken":"nothing"}]')
    await page.getByRole('menuitem', { name: 'Broken' }).click()
    await toast(page, '聊天链接配置错误，请联系管理员').waitFor()
    await configure('[{"Chat":"https://chat.test/?url={address}&key={key}"}]')
    await expectAccessible(page)
    const [tab] = await Promise.all([
      context.waitForEvent('page'),
      page.getByRole('menuitem', { name: '聊天: Chat (chat.test)', exact: true }).click(),
    ])
    const key = tokens.map(keyOf)[0] ?? ''
    await tab.waitForURL(`https://chat.test/?url=https%3A%2F%2Fgateway.test&key=${key}`)
  })
})

describe('many tokens', () => {
  test('are filtered by name or key, and the URL keeps the filter', async () => {
    const { page, tokens } = await withTokens('alpha', 'beta')
    const [alpha] = tokens
    if (!alpha) throw new Error('no token')
    const search = page.getByRole('search')

    await search.getByLabel('搜索名称').fill('bet')
    await page.keyboard.press('Enter')
    await expect.poll(() => page.getByRole('row').count()).toBe(2)
    await page.reload()
    await rowOf(page, 'beta').waitFor()
    expect(await rowOf(page, 'alpha').count()).toBe(0)

    await search.getByRole('button', { name: '清除筛选' }).click()
    await search.getByLabel('搜索密钥').fill(keyOf(alpha))
    await search.getByRole('button', { name: '搜索' }).click()
    await expect.poll(() => rowOf(page, 'beta').count()).toBe(0)
    await rowOf(page, 'alpha').waitFor()
    expect(page.url(), 'a key is a secret').not.toContain(alpha.key)
    await search.getByLabel('搜索名称').fill('no-such-token')
    await search.getByRole('button', { name: '搜索' }).click()
    await page.getByText('没有符合条件的记录').waitFor()
  })

  test('are not affected by the URL: input stays while it changes', async () => {
    const { page } = await withTokens('alpha', 'beta')
    const search = page.getByRole('search')
    /** Before the page can be drawn for it. */
    const clickAndType = (button: string, label: string, text: string) =>
      search.getByRole('button', { name: button }).evaluate(
        (element, { label, text }) => {
          ;(element as HTMLButtonElement).click()
          const field = document.querySelector<HTMLInputElement>(`input[aria-label="${label}"]`)
          const write = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set
          write?.call(field, text)
          field?.dispatchEvent(new Event('input', { bubbles: true }))
        },
        { label, text },
      )
    const name = search.getByLabel('搜索名称')
    await name.fill(' bet ')
    await clickAndType('搜索', '搜索名称', 'beta2')
    await expect.poll(() => page.getByRole('row').count()).toBe(2)
    expect(page.url()).toContain('keyword=bet')
    expect(await name.inputValue()).toBe('beta2')

    await clickAndType('清除筛选', '搜索密钥', 'sk-typed')
    await expect.poll(() => page.getByRole('row').count()).toBe(3)
    expect(page.url()).not.toContain('keyword')
    expect([await name.inputValue(), await search.getByLabel('搜索密钥').inputValue()]).toEqual(['', 'sk-typed'])
    await page.goBack()
    await expect.poll(() => name.inputValue()).toBe('bet')
  })

  test('are copied together if some are selected', async () => {
    const { page, tokens } = await withTokens('alpha', 'beta', 'gamma')
    await rowOf(page, 'alpha').waitFor()

    await page.getByRole('button', { name: '复制所选令牌' }).click()
    await toast(page, '请至少选择一个令牌！').waitFor()
    for (const name of ['gamma', 'alpha']) await tick(rowOf(page, name).getByRole('checkbox'))
    await page.getByRole('button', { name: '复制所选令牌' }).click()

    await toast(page, '已复制到剪贴板！').waitFor()
    const keys = new Map(tokens.map((token) => [token.name, keyOf(token)]))
    expect(await copied(page)).toBe(`gamma    ${keys.get('gamma')}\nalpha    ${keys.get('alpha')}`)
  })

  test('have pages with a stored size, and the last page may disappear', async () => {
    const { page } = await withTokens(...Array.from({ length: 11 }, (_, n) => `token-${n}`))
    await page.goto('/token')

    await page.getByRole('listitem', { name: /2/ }).click()
    await rowOf(page, 'token-0').waitFor()
    expect(Object.fromEntries(new URL(page.url()).searchParams)).toEqual({ p: '2', size: '10' })
    await more(page, 'token-0', '删除')
    await page.getByRole('dialog').getByRole('button', { name: '删除' }).click()
    await rowOf(page, 'token-10').waitFor() // led back to the page that there is

    await page.getByLabel('每页条数').click()
    await expect
      .poll(() => page.getByRole('option').allInnerTexts())
      .toEqual(['10 条/页', '20 条/页', '50 条/页', '100 条/页'])
    await page.getByRole('option', { name: '50 条/页' }).click()
    await page.goto('/token')
    await page.getByText('50 条/页').waitFor()
  })

  test('fit on a phone', async () => {
    const world = await gateway()
    const person = await world.user()
    await world.token(person, { name: 'mine' })
    const { page } = await open(world, { as: person, at: '/token', width: 390, language: 'en' })

    await rowOf(page, 'mine').waitFor()
    await expectAccessible(page, { themes: BOTH_THEMES })
    await page.getByRole('button', { name: 'Add token' }).click()
    const box = await drawer(page).getByLabel('Name').boundingBox()
    expect(box?.width).toBeGreaterThan(300)
    await page.keyboard.press('Escape')
    await expect.poll(() => new URL(page.url()).search).toBe('')
  })
})
