import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { endSessions } from '../../../core/sessions.ts'
import { choose, confirm, drawer, toast } from '../../support/arco.ts'
import { BOTH_THEMES, expectAccessible } from '../../support/browser/accessible.ts'
import { reusedConsole } from '../../support/browser.ts'
import { MODEL } from '../../support/gateway.ts'
import {
  chunk,
  DONE,
  type Exchange,
  event,
  say,
  sendStream,
  startStream,
  stopChunk,
} from '../../support/hand-made-upstream.ts'
import { reusedRelay } from '../../support/reused.ts'

const openRelay = reusedRelay()
const open = reusedConsole()

const PATH = '/pg/chat/completions'
const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==',
  'base64',
)

const relay = (answer: (exchange: Exchange) => unknown) =>
  openRelay(answer, { channel: { models: `gpt-4o-mini,${MODEL}` } })

/** Says these, one event each. */
const saying =
  (...texts: string[]) =>
  (exchange: Exchange) =>
    sendStream(exchange, [...texts.map(say), stopChunk()])

const input = (page: Page) => page.getByLabel('输入消息')
const message = (page: Page, who: '我' | '助手') => page.getByRole('article', { name: who })
const reply = (page: Page) => message(page, '助手').last()
const ended = (page: Page) => page.locator('article[aria-label="助手"][aria-busy="false"]').last().waitFor()

async function send(page: Page, text: string) {
  await input(page).fill(text)
  await page.keyboard.press('Enter')
}

/** What the page asks the gateway for next. */
const nextRequest = async (page: Page) =>
  (await page.waitForRequest((request) => request.url().endsWith(PATH))).postDataJSON()

describe('a chat in the playground', () => {
  test('is rendered while it streams, as Markdown, and is kept until its user signs out', async () => {
    let goOn = () => {}
    const world = await relay(async (exchange) => {
      startStream(exchange)
      // Cut within a character.
      const first = Buffer.from(event(say('你好')))
      exchange.response.write(first.subarray(0, -15))
      await new Promise<void>((resolve) => {
        goOn = resolve
        exchange.response.write(Buffer.concat([first.subarray(-15), Buffer.from(event(say('，')))]))
      })
      exchange.response.end([say('**世界**\n\n```js\nconst a = 1\n```\n'), stopChunk()].map(event).join('') + DONE)
    })
    const { page } = await open(world, { as: world.person, at: '/playground' })
    await page.getByText('开始对话').waitFor()
    const chatRequest = page.waitForRequest((request) => request.url().endsWith(PATH))

    await page.keyboard.type('第一行') // The field has the focus at once.
    await page.keyboard.press('Shift+Enter')
    await page.keyboard.type('第二行')
    await page.keyboard.press('Enter')

    await reply(page).getByText('你好，').waitFor()
    expect(await reply(page).getAttribute('aria-busy')).toBe('true')
    expect(await input(page).inputValue()).toBe('')
    const request = await chatRequest
    expect(request.postDataJSON()).toEqual({
      messages: [{ role: 'user', content: '第一行\n第二行' }],
      stream: true,
      model: 'gpt-4o-mini',
      group: 'default',
      max_tokens: 0,
      temperature: 0,
    })
    expect(request.headers()['tollgate-user']).toBe(String(world.person.id))

    goOn()
    await reply(page).locator('strong', { hasText: '世界' }).waitFor()
    await reply(page).locator('.hljs-keyword', { hasText: 'const' }).waitFor()
    await ended(page)
    await expectAccessible(page, { include: '.playground-body', themes: BOTH_THEMES })

    await input(page).fill('还没发送')
    await page.reload()
    await reply(page).locator('strong', { hasText: '世界' }).waitFor()
    expect(await input(page).inputValue()).toBe('还没发送')
    await page.getByRole('button', { name: /^用户菜单/ }).click()
    await page.getByRole('menuitem', { name: '退出登录' }).click()
    await page.waitForURL('/login')
    const kept = await page.evaluate(() => Object.keys(localStorage).filter((key) => key.startsWith('playground')))
    expect(kept).toEqual([])
  })

  test('loads no picture of another site in a reply until a click, and then via the gateway', async () => {
    const world = await relay(saying('看：![猫](https://evil.test/cat.png?reader=1)'))
    const { page } = await open(world, { as: world.person, at: '/playground' })
    const elsewhere: string[] = []
    page.on('request', (request) => {
      if (request.url().includes('evil.test')) elsewhere.push(request.url())
    })
    await page.route('**/api/picture', (route) => route.fulfill({ contentType: 'image/png', body: PNG }))
    await send(page, '猫')
    await ended(page)
    const button = reply(page).getByRole('button', { name: '加载来自 evil.test 的图片' })
    await button.waitFor()
    expect(await reply(page).locator('img').count()).toBe(0)
    await expectAccessible(page, { include: '.playground-body', themes: BOTH_THEMES })

    const pictureRequest = page.waitForRequest('**/api/picture')
    await button.click()

    expect((await pictureRequest).postDataJSON()).toEqual({ url: 'https://evil.test/cat.png?reader=1' })
    const picture = reply(page).getByRole('img', { name: '猫' })
    await picture.waitFor()
    expect(await picture.getAttribute('src')).toMatch(/^blob:/)
    await expect.poll(() => picture.evaluate((image) => (image as HTMLImageElement).naturalWidth)).toBe(1)
    expect(elsewhere).toEqual([])
  })

  test("shows a model's reasoning on demand", async () => {
    const world = await relay((exchange) =>
      sendStream(exchange, [chunk({ reasoning_content: '先想一想' }), say('答案'), stopChunk()]),
    )
    const { page } = await open(world, { as: world.person, at: '/playground' })

    await send(page, '问题')

    await reply(page).getByText('答案').waitFor()
    expect(await reply(page).getByText('先想一想').isVisible()).toBe(false)
    await reply(page).getByText('思考过程').click()
    await reply(page).getByText('先想一想').waitFor()
  })

  test('is stopped by a button: the received text stays, and the upstream request is aborted', async () => {
    const world = await relay((exchange) => {
      startStream(exchange)
      exchange.response.write(event(say('一半')))
    })
    // Otherwise it is read to its end, and charged.
    await world.toolkit.options.set(world.root, 'CompleteAfterDisconnect', 'false')
    const { page } = await open(world, { as: world.person, at: '/playground' })
    await send(page, '说下去')
    await reply(page).getByText('一半').waitFor()
    await input(page).fill('下一句')
    await page.keyboard.press('Enter') // waits
    expect(await message(page, '我').count()).toBe(1)

    await page.getByRole('button', { name: '停止生成' }).click()

    await reply(page).getByText('已停止').waitFor()
    await reply(page).getByText('一半').waitFor()
    await expect.poll(() => world.upstream.seen[0]?.whole).toBe(false)
    expect(await input(page).inputValue()).toBe('下一句')
  })

  test('shows the error at the end of a truncated reply, and can be retried', async () => {
    const answers = [
      (exchange: Exchange) => {
        startStream(exchange)
        exchange.response.end(event(say('开头')) + event({ error: { message: '上游过载', type: 'server_error' } }))
      },
      saying('完整回复'),
    ]
    const world = await relay((exchange) => answers.shift()?.(exchange))
    const { page } = await open(world, { as: world.person, at: '/playground' })

    await send(page, '问题')

    await reply(page).getByText('出错').waitFor()
    await reply(page).getByText('开头').waitFor()
    await reply(page).getByText('上游过载').waitFor()
    await expectAccessible(page, { include: '.messages', themes: BOTH_THEMES })
    const again = nextRequest(page)
    await reply(page).getByRole('button', { name: '重新生成' }).click()
    await reply(page).getByText('完整回复').waitFor()
    expect((await again).messages).toEqual([{ role: 'user', content: '问题' }])
    expect(await message(page, '助手').count()).toBe(1)
  })

  test('reports a stream without an end as an error, with its known usage', async () => {
    const world = await relay(saying())
    const { page } = await open(world, { as: world.person })
    await page.route(`**${PATH}`, (route) =>
      route.fulfill({
        contentType: 'text/event-stream',
        body: event({ ...say('没有结尾'), usage: { prompt_tokens: 3, completion_tokens: 4 } }),
      }),
    )
    await page.goto('/playground')

    await send(page, '问题')

    await reply(page).getByText('回复中断，未能完成').waitFor()
    await reply(page).getByText('没有结尾').waitFor()
    await reply(page).getByText('提示 3 · 补全 4').waitFor()
  })

  test('loses no input if it is rejected, or if the session has expired', async () => {
    const world = await relay(saying('好'))
    const { page, expects } = await open(world, { as: world.person })
    expects(/status of 429/, /status of 401/)
    await page.route(`**${PATH}`, (route) => route.fulfill({ status: 429 }), { times: 1 })
    await page.goto('/playground')
    await send(page, '太快了')
    await reply(page).getByText('错误：请求次数过多，请稍后再试！').waitFor()
    await message(page, '我').getByText('太快了').waitFor()

    await world.toolkit.db.transaction((trx) => endSessions(trx, world.person.id))
    await send(page, '过期了')

    await page.waitForURL('/login?expired=true&to=%2Fplayground')
    const kept = await page.evaluate(() => localStorage.getItem('playground'))
    expect(kept).toContain('过期了')
  })

  test('reports an expired session also for its URL', async () => {
    const world = await relay(saying())
    const { page } = await open(world, { as: world.person, at: '/playground?expired=true' })
    await page.getByRole('alert').filter({ hasText: '未登录或登录已过期，请重新登录！' }).waitFor()
  })
})

describe('a message', () => {
  test('is copied, edited, sent again, deleted and cleared, and Enter that confirms an IME word sends nothing', async () => {
    const world = await relay(saying('回复'))
    const { page } = await open(world, {
      as: world.person,
      at: '/playground',
      browser: { permissions: ['clipboard-read', 'clipboard-write'] },
    })
    await input(page).fill('拼音')
    await input(page).dispatchEvent('keydown', { key: 'Enter', isComposing: true, bubbles: true })
    expect(await message(page, '我').count()).toBe(0)
    await page.getByRole('button', { name: '发送' }).click()
    await ended(page)

    await message(page, '我').getByRole('button', { name: '复制消息' }).click()
    await toast(page, '已复制到剪贴板！').waitFor()
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe('拼音')

    await reply(page).getByRole('button', { name: '编辑消息' }).click()
    await page.getByLabel('消息内容').fill('改过的回复')
    await page.getByRole('button', { name: '保存', exact: true }).click()
    await reply(page).getByText('改过的回复').waitFor()

    await message(page, '我').getByRole('button', { name: '编辑消息' }).click()
    await page.getByLabel('消息内容').dispatchEvent('keydown', { key: 'Escape', isComposing: true, bubbles: true })
    expect(await page.getByLabel('消息内容').count()).toBe(1)
    await page.keyboard.press('Escape')
    await message(page, '我').getByText('拼音').waitFor()
    await message(page, '我').getByRole('button', { name: '编辑消息' }).click()
    await page.getByLabel('消息内容').fill('改过的问题')
    const request = nextRequest(page)
    await page.getByRole('button', { name: '保存并发送' }).click()
    expect((await request).messages).toEqual([{ role: 'user', content: '改过的问题' }])
    await reply(page).getByText('回复', { exact: true }).waitFor()
    await ended(page)

    await message(page, '我').getByRole('button', { name: '删除消息' }).click()
    expect(await reply(page).getByRole('button', { name: '重新生成' }).isDisabled()).toBe(true) // nothing was asked
    await send(page, '再问')
    await expect.poll(() => message(page, '助手').count()).toBe(2)
    await expect.poll(() => reply(page).getByRole('button', { name: '重新生成' }).isDisabled()).toBe(false)
    await reply(page).getByRole('button', { name: '删除消息' }).click()
    expect(await message(page, '助手').count()).toBe(1)
    await page.getByRole('button', { name: '清空对话' }).click()
    await confirm(page, '清空对话？')
    await page.getByText('开始对话').waitFor()
  })

  test('accepts pictures from a file, the clipboard and by drag, and rejects others with a reason', async () => {
    const world = await relay(saying('一张图'))
    const { page } = await open(world, { as: world.person, at: '/playground' })
    const file = page.locator('input[type=file]')
    const picture = { name: 'a.png', mimeType: 'image/png', buffer: PNG }

    await file.setInputFiles([
      picture,
      { ...picture, name: 'large.png', buffer: Buffer.alloc(3 * 1024 * 1024 + 1) },
      { name: 'a.txt', mimeType: 'text/plain', buffer: Buffer.from('a') },
    ])
    await toast(page, 'large.png：图片不能超过 3 MB').waitFor()
    await toast(page, 'a.txt：只支持 PNG、JPEG、GIF 和 WebP 图片').waitFor()
    await page.getByRole('img', { name: '图片 1' }).waitFor()
    for (const type of ['paste', 'drop']) await bring(page, type, ['b.png'])
    await page.getByRole('img', { name: '图片 3' }).waitFor()
    await file.setInputFiles(picture)
    await toast(page, 'a.png：一条消息最多 3 张图片').waitFor()
    await expectAccessible(page, { include: '.composer', themes: BOTH_THEMES })
    for (const place of [3, 2]) await page.getByRole('button', { name: `移除图片 ${place}` }).click()

    const request = nextRequest(page)
    await send(page, '这是什么')
    expect((await request).messages).toEqual([
      {
        role: 'user',
        content: [
          { type: 'text', text: '这是什么' },
          { type: 'image_url', image_url: { url: `data:image/png;base64,${PNG.toString('base64')}` } },
        ],
      },
    ])
    await message(page, '我').getByRole('img', { name: '图片 1' }).waitFor()
    await ended(page)
  })

  test('accepts at most three pictures that are pasted at once, and names a file that cannot be read', async () => {
    const world = await relay(saying('图'))
    const { page } = await open(world, { as: world.person, at: '/playground' })
    const pictures = page.locator('.composer img')
    const file = page.locator('input[type=file]')
    await bring(page, 'paste', ['a.png', 'b.png'], ['c.png', 'd.png'])
    await toast(page, 'd.png：一条消息最多 3 张图片').waitFor()
    await page.getByRole('img', { name: '图片 3' }).waitFor()
    expect(await pictures.count()).toBe(3)

    await page.getByRole('button', { name: '移除图片 3' }).click()
    await file.evaluate(() => {
      const { readAsDataURL } = FileReader.prototype
      FileReader.prototype.readAsDataURL = function (file) {
        FileReader.prototype.readAsDataURL = readAsDataURL
        setTimeout(() => this.dispatchEvent(new ProgressEvent('error')), 0, file)
      }
    })
    const picture = { mimeType: 'image/png', buffer: PNG }
    await file.setInputFiles({ ...picture, name: 'gone.png' })
    await toast(page, 'gone.png：无法读取，请确认文件仍然存在').waitFor()
    await file.setInputFiles({ ...picture, name: 'e.png' })
    await page.getByRole('img', { name: '图片 3' }).waitFor()

    await send(page, '三张图')
    await ended(page)
    await file.setInputFiles({ ...picture, name: 'f.png' })
    await page.locator('.composer').getByRole('img', { name: '图片 1' }).waitFor()
    expect(await pictures.count()).toBe(1)
  })

  test('that arrives while the user reads further up keeps the scroll position', async () => {
    const release: (() => void)[] = []
    const long = Array.from({ length: 80 }, (_, line) => `第 ${line} 行\n\n`).join('')
    const world = await relay(async (exchange) => {
      startStream(exchange)
      exchange.response.write(event(say(long)))
      await new Promise<void>((resolve) => release.push(resolve))
      exchange.response.end([say('最后一行'), stopChunk()].map(event).join('') + DONE)
    })
    const { page } = await open(world, { as: world.person, at: '/playground' })
    const box = page.getByRole('log')
    const fromEnd = () => box.evaluate((box) => box.scrollHeight - box.scrollTop - box.clientHeight)
    await send(page, '写长一点')
    await reply(page).getByText('第 79 行').waitFor()
    await expect.poll(fromEnd).toBeLessThan(5)

    await box.evaluate((box) => box.scrollTo(0, 0))
    const toEnd = page.getByRole('button', { name: '回到最新消息' })
    await toEnd.waitFor()
    release[0]?.()
    await ended(page)
    expect(await box.evaluate((box) => box.scrollTop)).toBe(0)

    await toEnd.click()
    await expect.poll(fromEnd).toBeLessThan(5)
    await toEnd.waitFor({ state: 'hidden' })
  })
})

describe('the settings of the playground', () => {
  test('are sent and stored, and can be reset', async () => {
    const world = await relay(saying('好'))
    const { page } = await open(world, { as: world.person, at: '/playground' })
    await choose(page, '模型', MODEL)
    const slider = page.getByRole('slider', { name: '温度' })
    expect([await slider.getAttribute('aria-valuemin'), await slider.getAttribute('aria-valuemax')]).toEqual([
      '0.1',
      '1',
    ])
    await slider.focus()
    await page.keyboard.press('ArrowRight')
    await page.getByText('当前 0.2；').waitFor()
    await page.keyboard.press('ArrowLeft')
    await page.getByText('当前 0.1；').waitFor()
    await page.keyboard.press('ArrowRight')
    await page.getByText('当前 0.2；').waitFor()
    await page.getByLabel('最大 Token 数').fill('64')
    await page.getByLabel('系统提示词').fill('只说好')
    await page.reload()

    const request = nextRequest(page)
    await send(page, '问题')

    expect(await request).toEqual({
      messages: [
        { role: 'system', content: '只说好' },
        { role: 'user', content: '问题' },
      ],
      stream: true,
      model: MODEL,
      group: 'default',
      max_tokens: 64,
      temperature: 0.2,
    })
    await ended(page)
    await page.getByRole('button', { name: '恢复默认' }).click()
    await page.getByText('当前 0；').waitFor()
    expect(await page.getByLabel('系统提示词').inputValue()).toBe('')
    await page.getByRole('combobox', { name: '模型' }).getByText('gpt-4o-mini').waitFor()
  })

  test('are a drawer on a phone', async () => {
    const world = await relay(saying('好'))
    const { page } = await open(world, { as: world.person, at: '/playground', width: 390 })

    await page.getByRole('button', { name: '设置' }).click()

    await drawer(page, '设置').getByText('系统提示词').waitFor()
    await expectAccessible(page, { themes: BOTH_THEMES })
    await drawer(page, '设置').getByRole('button', { name: '关闭' }).click()
    await drawer(page, '设置').waitFor({ state: 'hidden' })
    await send(page, '问题')
    await reply(page).getByText('好').waitFor()
  })
})

/** Pastes or drops pictures, as the browser tells of it. Each list of names is one event; no time passes between them. */
async function bring(page: Page, type: string, ...events: string[][]): Promise<void> {
  await input(page).evaluate(
    (field, { type, events, bytes }) => {
      for (const names of events) {
        const transfer = new DataTransfer()
        for (const name of names) {
          transfer.items.add(new File([Uint8Array.from(bytes)], name, { type: 'image/png' }))
        }
        const event =
          type === 'paste'
            ? new ClipboardEvent('paste', { clipboardData: transfer, bubbles: true, cancelable: true })
            : new DragEvent('drop', { dataTransfer: transfer, bubbles: true, cancelable: true })
        field.dispatchEvent(event)
      }
    },
    { type, events, bytes: [...PNG] },
  )
}
