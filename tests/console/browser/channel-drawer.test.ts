import type { Locator, Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { ROLE } from '../../../core/actor.ts'
import { toast } from '../../support/arco.ts'
import { BOTH_THEMES, expectAccessible } from '../../support/browser/accessible.ts'
import { expectFits } from '../../support/browser/fits.ts'
import { reusedConsole } from '../../support/browser.ts'
import type { TestGateway } from '../../support/gateway.ts'
import { sendJson, startUpstream } from '../../support/hand-made-upstream.ts'
import { reused } from '../../support/reused.ts'
import { serviceAccountKey } from '../../support/service-account.ts'

const gateway = reused()
const open = reusedConsole()

const drawer = (page: Page): Locator => page.locator('.arco-drawer')
const button = (page: Page, name: string): Locator => drawer(page).getByRole('button', { name, exact: true })
const field = (page: Page, name: string): Locator => drawer(page).getByRole('textbox', { name, exact: true })
const submit = (page: Page): Promise<void> => button(page, '提交').click()
/** The values of a select of several. */
const chosen = (page: Page, name: string): Promise<string[]> =>
  drawer(page).getByRole('combobox', { name, exact: true }).locator('.arco-tag-content').allInnerTexts()

async function chooseType(page: Page, search: string): Promise<void> {
  const type = drawer(page).getByRole('combobox', { name: '类型' })
  await type.click()
  await page.locator('.arco-select-option').first().waitFor()
  // Its field takes keys a moment after the list is there.
  await type.locator('input').fill(search)
  await page.evaluate(() => new Promise(requestAnimationFrame))
  await page.keyboard.press('Enter')
}

async function addModels(page: Page, names: string): Promise<void> {
  await field(page, '自定义模型名称').fill(names)
  await button(page, '填入').click()
}

/** All channels, as they are stored, with their keys. */
async function stored({ toolkit, root }: TestGateway) {
  await toolkit.events.catchUp()
  const { items } = await toolkit.channels.list(root, { newestFirst: true })
  const directory = await toolkit.channelDirectory()
  return items.map((channel) => ({ ...channel, key: directory.find(channel.id)?.key }))
}

async function openNew(world: TestGateway, width: 1440 | 390 = 1440) {
  const admin = await world.user({ role: ROLE.admin })
  const opened = await open(world, { as: admin, at: '/channel/add', width })
  await drawer(opened.page).getByRole('combobox', { name: '类型' }).waitFor()
  return opened
}

async function openEdit(world: TestGateway, id: number) {
  const opened = await open(world, { as: world.root, at: `/channel/edit/${id}` })
  await drawer(opened.page).getByRole('combobox', { name: '类型' }).waitFor()
  return opened
}

const KEY = serviceAccountKey()

describe('a new channel', () => {
  test('names missing fields, and sends nothing', async () => {
    const world = await gateway()
    const { page } = await openNew(world)
    await submit(page)
    await drawer(page).getByRole('alert').filter({ hasText: '请选择渠道类型' }).waitFor()
    await expectAccessible(page, { include: '.arco-drawer', themes: BOTH_THEMES })
    await drawer(page).getByRole('button', { name: 'DeepSeek', exact: true }).click()
    expect(await field(page, '名称').inputValue()).toBe('DeepSeek')
    await field(page, '名称').fill('')
    await button(page, '清除所有模型').click()
    await drawer(page).getByRole('button', { name: '高级设置' }).click()
    await drawer(page).getByRole('combobox', { name: '分组' }).click()
    await page.keyboard.press('Backspace')
    await page.keyboard.press('Escape')
    await drawer(page).getByRole('button', { name: '高级设置' }).click()

    await submit(page)

    await toast(page, '请检查输入').waitFor()
    for (const text of ['请输入渠道名称', '请输入密钥', '请至少选择一个模型', '请至少选择一个分组']) {
      await drawer(page).getByRole('alert').filter({ hasText: text }).waitFor()
    }
    await expectAccessible(page, { include: '.arco-drawer', themes: BOTH_THEMES })
    expect(await stored(world)).toEqual([])
  })

  test.each([
    {
      search: 'azure',
      key: 'azure-key',
      prompts: ['格式：资源的密钥，或 Entra 令牌（eyJ…）', 'API 版本；v1 表示无版本的 API'],
      missing: '请输入 AZURE_OPENAI_ENDPOINT',
      fields: { AZURE_OPENAI_ENDPOINT: 'https://one.openai.azure.com', 'API 版本': 'v1' },
      row: { type: 3, base_url: 'https://one.openai.azure.com', other: 'v1' },
    },
    {
      search: 'aws',
      key: 'AKIA|secret|us-east-1',
      prompts: ['格式：AccessKey|SecretKey|Region，或 BedrockApiKey|Region', '留空则由地区决定'],
      row: { type: 33, models: /claude-/ },
    },
    {
      search: 'vertex',
      key: KEY,
      prompts: ['格式：服务账号的完整 JSON 密钥，或快速模式的 API Key', '其中必须包含 default'],
      missing: '请输入部署地区',
      fields: { 部署地区: '{"default":"us-central1"}' },
      row: { type: 41, other: '{"default":"us-central1"}' },
    },
    {
      search: 'spark',
      key: 'id|secret|key',
      prompts: ['格式：APPID|APISecret|APIKey，或 APIPassword', '星火大模型版本，用于名称中不含版本的模型'],
      fields: { 星火大模型版本: 'v3.5' },
      row: { type: 18, other: 'v3.5', models: /SparkDesk/ },
    },
    { search: '15', key: 'id|secret', prompts: ['格式：APIKey|SecretKey'], row: { type: 15, models: /ERNIE/ } },
    {
      search: 'hunyuan',
      key: '12|id|key',
      prompts: ['格式：AppId|SecretId|SecretKey，或 API Key（sk-…）'],
      row: { type: 23 },
    },
    {
      search: 'cloudflare',
      key: 'token',
      prompts: ['格式：API 令牌'],
      missing: '请输入账户 ID',
      fields: { '账户 ID': 'abc' },
      row: { type: 39, other: 'abc' },
    },
    {
      search: 'custom',
      key: 'sk-1',
      prompts: ['必填，请填写完整的接口地址；地址中的 {model} 会替换为模型名称'],
      missing: '请输入 API 地址',
      fields: { 'API 地址': 'https://a.example/v1/chat/completions' },
      row: { type: 8, base_url: 'https://a.example/v1/chat/completions' },
    },
  ])(
    'of $search uses the credential labels of its provider',
    async ({ search, key, prompts, missing, fields, row }) => {
      const world = await gateway()
      const { page } = await openNew(world)

      await chooseType(page, search)
      await field(page, '名称').fill('mine')
      await field(page, '密钥').fill(key)
      for (const prompt of prompts) await drawer(page).getByText(prompt).first().waitFor()
      if (missing) {
        await submit(page)
        await drawer(page).getByRole('alert').filter({ hasText: missing }).waitFor()
      }
      for (const [name, value] of Object.entries(fields ?? {})) await field(page, name).fill(String(value))
      await submit(page)

      await toast(page, '渠道创建成功！').waitFor()
      const { models, ...rest } = { models: /./, ...row }
      expect(await stored(world)).toEqual([
        expect.objectContaining({
          name: 'mine',
          key,
          group: 'default',
          models: expect.stringMatching(models),
          ...rest,
        }),
      ])
    },
  )

  test('of a task kind has its actions, and the models follow the type until edited', async () => {
    const world = await gateway()
    const { page } = await openNew(world)

    await chooseType(page, '5')
    await expect
      .poll(() => chosen(page, '模型'))
      .toEqual(expect.arrayContaining(['mj_imagine', 'mj_modal', 'swap_face']))
    await chooseType(page, '2')
    await expect.poll(() => chosen(page, '模型')).toEqual(expect.arrayContaining(['mj_imagine', 'mj_upload']))
    await expect.poll(() => chosen(page, '模型')).not.toContain('mj_modal')
    await chooseType(page, 'suno')
    await expect.poll(() => chosen(page, '模型')).toEqual(['suno_music', 'suno_lyrics'])
    await addModels(page, 'mine')
    await chooseType(page, 'deepseek')

    await expect.poll(() => chosen(page, '模型')).toEqual(['suno_music', 'suno_lyrics', 'mine'])
    await drawer(page).getByRole('combobox', { name: '类型' }).click()
    const options = page.locator('.arco-select-option')
    await page.keyboard.type('palm')
    await expect.poll(() => options.allInnerTexts()).toEqual([expect.stringMatching(/PaLM.*（不再转发）/)])
    expect(await options.first().getAttribute('class')).toContain('disabled')
  })

  test('has all entered values, in every section', async () => {
    const world = await gateway()
    const { page } = await openNew(world)
    await chooseType(page, '1')
    await field(page, '名称').fill('whole')
    await field(page, '密钥').fill('sk-1')
    await field(page, 'API 地址').fill('https://a.example')
    await button(page, '清除所有模型').click()
    await addModels(page, 'a, b，a')
    await drawer(page).getByRole('button', { name: '高级设置' }).press('Enter')
    await button(page, '填入示例: 模型映射').click()
    await field(page, '默认测试模型').fill('b')
    await drawer(page).getByRole('combobox', { name: '分组' }).click()
    await page.keyboard.type('partners')
    await page.locator('.arco-select-option').getByText('partners').waitFor()
    await page.keyboard.press('Enter')
    await page.keyboard.press('Escape')
    await expect.poll(() => chosen(page, '分组')).toEqual(['default', 'partners'])
    await field(page, '标签').fill('eu')
    await drawer(page).getByRole('spinbutton', { name: '优先级' }).fill('7.9')
    await drawer(page).getByRole('spinbutton', { name: '权重' }).fill('3')
    await drawer(page).getByRole('switch', { name: '自动禁用' }).click()
    await field(page, 'OpenAI 组织 ID').fill('org-1')
    await button(page, '填入示例: 状态码映射').click()
    await button(page, '填入示例: 渠道额外设置').click()

    await submit(page)

    await toast(page, '渠道创建成功！').waitFor()
    const [channel] = await stored(world)
    expect(channel).toMatchObject({
      type: 1,
      name: 'whole',
      key: 'sk-1',
      base_url: 'https://a.example',
      models: 'a,b',
      model_mapping: '{"gpt-3.5-turbo":"gpt-3.5-turbo-0125"}',
      test_model: 'b',
      group: 'default,partners',
      tag: 'eu',
      priority: 8,
      weight: 3,
      auto_ban: 0,
      openai_organization: 'org-1',
      status_code_mapping: '{"400":"500"}',
    })
    expect(JSON.parse(channel?.setting ?? '')).toMatchObject({ proxy: 'socks5://127.0.0.1:1080', system_prompt: /./ })
  })

  test('reports invalid JSON, and opens the section with the error', async () => {
    const world = await gateway()
    const { page } = await openNew(world)
    await chooseType(page, 'deepseek')
    await drawer(page).getByRole('button', { name: '高级设置' }).click()
    await field(page, '状态码映射').fill('{"400":500}')
    await field(page, '渠道额外设置').fill('[]')
    await field(page, '模型映射').fill('{"a":')
    await drawer(page).getByRole('button', { name: '高级设置' }).click()
    await field(page, '状态码映射').waitFor({ state: 'hidden' })

    await submit(page)

    for (const text of ['模型映射', '状态码映射', '渠道额外设置']) {
      const alert = drawer(page)
        .getByRole('alert')
        .filter({ hasText: `${text}必须是合法的 JSON 格式！` })
      await alert.waitFor()
    }
  })

  test('keeps the input if the server rejects it, and is sent once if submitted twice', async () => {
    const world = await gateway()
    const { page } = await openNew(world)
    await chooseType(page, 'vertex')
    await field(page, '名称').fill('twice')
    await field(page, '密钥').fill('key')
    await field(page, '部署地区').fill('{"gemini-2.5-pro":"global"}')
    await submit(page)
    await toast(page, '部署地区必须包含default字段').waitFor()
    expect(await field(page, '名称').inputValue()).toBe('twice')
    await field(page, '部署地区').fill('global')

    await drawer(page)
      .locator('form')
      .evaluate((form: HTMLFormElement) => {
        form.requestSubmit()
        form.requestSubmit()
      })

    await toast(page, '提交失败，请勿重复提交！').waitFor()
    await toast(page, '渠道创建成功！').waitFor()
    expect(await stored(world)).toHaveLength(1)
    await page.waitForURL('/channel')
  })

  test('is created once, though its form is submitted again while the drawer closes', async () => {
    const world = await gateway()
    const { page } = await openNew(world)
    await chooseType(page, 'deepseek')
    await field(page, '名称').fill('once')
    await field(page, '密钥').fill('sk-1')
    const sent: string[] = []
    page.on('request', (request) => request.method() === 'POST' && sent.push(request.url()))

    await drawer(page)
      .locator('form')
      .evaluate(
        (form: HTMLFormElement) =>
          new Promise<void>((resolve) => {
            form.requestSubmit()
            new MutationObserver((_, observer) => {
              if (location.pathname !== '/channel') return
              observer.disconnect()
              form.requestSubmit()
              resolve()
            }).observe(document.body, { childList: true, subtree: true, attributes: true })
          }),
      )

    await drawer(page).waitFor({ state: 'hidden' })
    await page.getByText('once', { exact: true }).waitFor()
    expect(sent).toHaveLength(1)
    expect(await stored(world)).toHaveLength(1)
  })

  test('is created for each line of a batch, or has all of them as keys', async () => {
    const world = await gateway()
    const { page } = await openNew(world)
    await chooseType(page, 'deepseek')
    await field(page, '名称').fill('many')
    await drawer(page).getByText('批量创建').click()
    await field(page, '密钥（一行一个）').fill('sk-one\n\nsk-two\n')
    await submit(page)
    await toast(page, '渠道创建成功！').waitFor()
    expect((await stored(world)).map(({ key }) => key).sort()).toEqual(['sk-one', 'sk-two'])

    await page.getByText('共 2 条').waitFor() // until then the empty list offers one as well
    await page.getByRole('button', { name: '添加渠道' }).click()
    await chooseType(page, 'deepseek')
    await field(page, '名称').fill('pool')
    await drawer(page).getByText('一个渠道多个密钥').click()
    await drawer(page).getByText('轮询').click()
    await field(page, '密钥（一行一个）').fill('sk-1\nsk-2\nsk-3')
    await submit(page)
    await drawer(page).waitFor({ state: 'hidden' })
    const [pool] = await stored(world)
    expect(pool).toMatchObject({ name: 'pool', multi_key: { mode: 'polling', keys: 3 } })
  })

  test('accepts a JSON key from a file, and rejects another', async () => {
    const world = await gateway()
    const { page } = await openNew(world)
    await chooseType(page, 'vertex')
    const upload = drawer(page).locator('input[type=file]')

    await upload.setInputFiles({ name: 'key.txt', mimeType: 'application/json', buffer: Buffer.from('no JSON') })
    await toast(page, '请上传合法的 JSON 密钥文件').waitFor()
    await upload.setInputFiles({ name: 'key.json', mimeType: 'application/json', buffer: Buffer.from(KEY) })

    await expect.poll(() => field(page, '密钥').inputValue()).toBe(KEY)
  })

  test('names a key file that cannot be read', async () => {
    const world = await gateway()
    const { page } = await openNew(world)
    await chooseType(page, 'vertex')
    const upload = drawer(page).locator('input[type=file]')
    await upload.evaluate(() => {
      Blob.prototype.text = () => Promise.reject(new DOMException('gone', 'NotFoundError'))
    })
    await upload.setInputFiles({ name: 'key.json', mimeType: 'application/json', buffer: Buffer.from(KEY) })
    await toast(page, 'key.json：无法读取，请确认文件仍然存在').waitFor()
  })
})

describe('the models of a channel', () => {
  test('can be filled from presets, copied, cleared, and added by name', async () => {
    const world = await gateway()
    const { page, context } = await openNew(world)
    await context.grantPermissions(['clipboard-read', 'clipboard-write'])
    await chooseType(page, 'deepseek')
    const chosenModels = await chosen(page, '模型')
    expect(chosenModels.slice(0, 2)).toEqual(['deepseek-chat', 'deepseek-reasoner'])

    await addModels(page, 'x,deepseek-chat')
    await toast(page, '某些模型已存在！').waitFor()
    await expect.poll(() => chosen(page, '模型')).toEqual([...chosenModels, 'x'])
    await button(page, '复制所有模型').click()
    await toast(page, '已复制到剪贴板！').waitFor()
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe([...chosenModels, 'x'].join())
    await button(page, '清除所有模型').click()
    await expect.poll(() => chosen(page, '模型')).toEqual([])
    await button(page, '填入相关模型').click()
    await expect.poll(() => chosen(page, '模型')).toEqual(chosenModels)
    await button(page, '填入所有模型').click()
    await expect.poll(async () => (await chosen(page, '模型')).length).toBeGreaterThan(200)
  })

  test('are fetched from the upstream and selected', async () => {
    // An administrator below root reaches hosts of the network only if they are let in.
    const world = await gateway({ settings: { MEDIA_ALLOW_HOSTS: '127.0.0.0/8' } })
    const models = ['zeta', 'alpha-1', 'alpha-2', 'beta']
    const upstream = await startUpstream((exchange) => sendJson(exchange, { data: models.map((id) => ({ id })) }))
    const { page } = await openNew(world)
    await chooseType(page, '1')
    await button(page, '清除所有模型').click()
    await addModels(page, 'own,beta')
    await field(page, '密钥').fill('sk-fetch')
    await field(page, 'API 地址').fill(upstream.url)

    await button(page, '获取模型列表').click()

    const picker = page.getByRole('dialog').filter({ hasText: '选择要使用的模型' })
    await picker.getByText('zeta').waitFor()
    expect(upstream.seen[0]).toMatchObject({ path: '/v1/models', headers: { authorization: 'Bearer sk-fetch' } })
    expect(await picker.getByRole('checkbox', { name: 'beta' }).isChecked()).toBe(true)
    await expectAccessible(page, { include: '.arco-modal', themes: BOTH_THEMES })
    await picker.getByRole('textbox', { name: '搜索模型' }).fill('ALPHA')
    await picker.getByText('全选（2）').click()
    await picker.getByRole('textbox', { name: '搜索模型' }).fill('nothing')
    await picker.getByText('没有符合条件的记录').waitFor()
    await picker.getByRole('textbox', { name: '搜索模型' }).fill('')
    await picker.getByText('beta', { exact: true }).click()
    await picker.getByRole('button', { name: '确定（已选 2）' }).click()
    await expect.poll(() => chosen(page, '模型')).toEqual(['own', 'alpha-1', 'alpha-2'])
    await button(page, '测试密钥并获取模型').click()
    await toast(page, '密钥可用，账户有 4 个模型').waitFor()
    await expect.poll(() => chosen(page, '模型')).toEqual(['alpha-1', 'alpha-2', 'beta', 'zeta'])
  })

  test('that cannot be fetched show the reason', async () => {
    const world = await gateway()
    const upstream = await startUpstream((exchange) => sendJson(exchange, { error: { message: 'bad key' } }, 401))
    const channel = await world.channel({ base_url: upstream.url, key: 'sk-stored', models: 'a' })
    const { page } = await openEdit(world, channel.id)

    await button(page, '获取模型列表').click()

    await toast(page, /获取模型列表失败：.*401/).waitFor()
    expect(upstream.seen[0]?.headers.authorization).toBe('Bearer sk-stored')
    await chooseType(page, 'azure')
    await drawer(page).getByText('该提供商不提供模型列表').waitFor()
    await button(page, '获取模型列表').waitFor({ state: 'hidden' })
  })
})

describe('the edit of a channel', () => {
  test('saves only changed fields, and never shows the key', async () => {
    const world = await gateway()
    const setting = '{"param_override":{"seed":12345678901234567890},"unknown":1}'
    const whole = { models: 'a,b', group: 'default,vip', model_mapping: '{"a":"b"}', setting, tag: 'eu', priority: 4 }
    const { id } = await world.channel({ ...whole, name: 'old', key: 'sk-secret', auto_ban: 0, test_model: 'a' })
    const [before] = await stored(world)
    const { page } = await openEdit(world, id)
    expect(await field(page, '密钥').inputValue()).toBe('')
    await drawer(page).getByText('出于安全考虑，不显示现有密钥；留空则不修改。').waitFor()
    await submit(page)
    await toast(page, '你似乎并没有修改什么').waitFor()

    const sent = page.waitForRequest((request) => request.method() === 'PUT')
    await field(page, '名称').fill('new')
    await field(page, '标签').fill('')
    await submit(page)

    await toast(page, '渠道更新成功！').waitFor()
    expect((await sent).postDataJSON()).toEqual({ id, name: 'new', tag: '' })
    expect(await stored(world)).toEqual([{ ...before, name: 'new', tag: null }])
    await page.getByText('new', { exact: true }).first().waitFor()
  })

  test('replaces a key, and keeps key settings apart from the other settings', async () => {
    const world = await gateway()
    const setting = '{"multi_key_mode":"polling","force_format":true}'
    const { id } = await world.channel({ setting, key: 'sk-1\nsk-2' })
    const { page } = await openEdit(world, id)
    await drawer(page).getByText('现有 2 个密钥，其中 0 个已禁用').waitFor()
    expect(await field(page, '渠道额外设置').innerText()).not.toContain('multi_key_mode')

    await drawer(page).getByText('随机').click()
    await field(page, '密钥（一行一个）').fill('sk-3\nsk-4\nsk-5')
    await submit(page)

    await toast(page, '渠道更新成功！').waitFor()
    const [channel] = await stored(world)
    expect(channel?.multi_key).toMatchObject({ mode: 'random', keys: 3 })
    expect(JSON.parse(channel?.setting ?? '')).toEqual({ multi_key_mode: 'random', force_format: true })
  })

  test('is not lost by going back, unless confirmed', async () => {
    const world = await gateway()
    await world.channel({ name: 'one' })
    const { page } = await open(world, { as: world.root, at: '/channel' })
    await page.getByRole('button', { name: '更多操作 one' }).click()
    await page.getByRole('menuitem', { name: '编辑' }).click()
    await field(page, '名称').fill('two')
    const question = page.getByRole('dialog').filter({ hasText: '有未保存的修改' })

    await page.goBack()
    await question.getByRole('button', { name: '继续编辑' }).click()
    expect(await field(page, '名称').inputValue()).toBe('two')
    await page.goBack()
    await question.getByRole('button', { name: '放弃修改并离开' }).click()
    await drawer(page).waitFor({ state: 'hidden' })
    await page.waitForURL('/channel')

    await page.getByRole('button', { name: '更多操作 one' }).click()
    await page.getByRole('menuitem', { name: '编辑' }).click()
    await expect.poll(() => field(page, '名称').inputValue()).toBe('one')
    await page.goBack()
    await drawer(page).waitFor({ state: 'hidden' })
    await page.getByRole('button', { name: '更多操作 one' }).click()
    await page.getByRole('menuitem', { name: '编辑' }).click()
    await field(page, '名称').fill('three')
    await submit(page)
    await page.waitForURL('/channel')
    await toast(page, '渠道更新成功！').waitFor()
    expect((await stored(world)).map(({ name }) => name)).toEqual(['three'])
  })

  test('counts an emptied number as 0, and shows that', async () => {
    const world = await gateway()
    const { id } = await world.channel({ priority: 7, weight: 3 })
    const { page } = await openEdit(world, id)
    const priority = drawer(page).getByRole('spinbutton', { name: '优先级' })
    await priority.fill('')
    expect(await priority.getAttribute('placeholder')).toBe('0')
    await submit(page)

    await toast(page, '渠道更新成功！').waitFor()
    expect((await stored(world)).map(({ priority, weight }) => [priority, weight])).toEqual([[0, 3]])
  })

  test('of an unknown channel says so', async () => {
    const world = await gateway()
    const { page } = await open(world, { as: world.root, at: '/channel/edit/77' })

    await drawer(page).getByRole('alert').filter({ hasText: '77' }).waitFor()

    expect(await button(page, '提交').isDisabled()).toBe(true)
    await button(page, '取消').click()
    await page.waitForURL('**/channel')
  })

  test('opens only for numeric channel ids', async () => {
    const world = await gateway()
    const { page } = await open(world, { as: world.root, at: '/channel/edit/abc' })

    await page.getByRole('heading', { name: '页面不存在' }).waitFor()
  })

  test('is accessible, complete and fully open, on a phone', async () => {
    const world = await gateway()
    const { id } = await world.channel({ type: 41, other: 'global', key: KEY, models: 'a,b' })
    const { page } = await open(world, { as: world.root, at: `/channel/edit/${id}`, width: 390 })
    await field(page, '渠道额外设置').waitFor()

    await expectAccessible(page, { include: '.arco-drawer', themes: BOTH_THEMES })

    await expectFits(page)
  })
})
