import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { confirm } from '../../support/arco.ts'
import { reusedConsole } from '../../support/browser.ts'
import { MODEL } from '../../support/gateway.ts'
import { DONE, type Exchange, event, say, startStream, stopChunk } from '../../support/hand-made-upstream.ts'
import { reusedRelay } from '../../support/reused.ts'

const openRelay = reusedRelay()
const open = reusedConsole()

const relay = (answer: (exchange: Exchange) => unknown) =>
  openRelay(answer, { channel: { models: `gpt-4o-mini,${MODEL}` } })

const message = (page: Page, who: '我' | '助手') => page.getByRole('article', { name: who })
const reply = (page: Page) => message(page, '助手').last()

async function send(page: Page, text: string) {
  await page.getByLabel('输入消息').fill(text)
  await page.keyboard.press('Enter')
}

describe('a chat in the playground', () => {
  test('is shared by two tabs: neither loses messages of the other', async () => {
    let goOn = () => {}
    const world = await relay(async (exchange) => {
      startStream(exchange)
      if (!JSON.stringify(exchange.body).includes('二')) {
        exchange.response.write(event(say('答')))
        await new Promise<void>((resolve) => {
          goOn = resolve
        })
      }
      exchange.response.end([say('完'), stopChunk()].map(event).join('') + DONE)
    })
    const { page, context } = await open(world, { as: world.person, at: '/playground' })
    const other = await context.newPage()
    await other.goto('/playground')
    await other.getByText('开始对话').waitFor()

    await send(page, '一')
    await reply(page).getByText('答').waitFor()
    await message(other, '我').getByText('一').waitFor()
    await send(other, '二')
    await reply(other).getByText('完').waitFor()
    await message(page, '我').getByText('二').waitFor()
    await reply(page).getByText('完').waitFor()
    goOn()

    const texts = ['一', '答完', '二', '完']
    const messagesOf = async (tab: Page) =>
      (await tab.locator('article').allInnerTexts()).map((text) => text.split('\n').filter(Boolean)[1])
    for (const tab of [page, other]) await expect.poll(() => messagesOf(tab)).toEqual(texts)
    await Promise.all([page.reload(), other.reload()])
    for (const tab of [page, other]) await expect.poll(() => messagesOf(tab)).toEqual(texts)

    await other.getByRole('button', { name: '清空对话' }).click()
    await confirm(other, '清空')
    await page.getByText('开始对话').waitFor()
  })

  test('stops its reply if another tab clears it', async () => {
    const world = await relay((exchange) => {
      startStream(exchange)
      exchange.response.write(event(say('一半')))
    })
    // Otherwise it is read to its end, and charged.
    await world.toolkit.options.set(world.root, 'CompleteAfterDisconnect', 'false')
    const { page, context } = await open(world, { as: world.person, at: '/playground' })
    await send(page, '说下去')
    await reply(page).getByText('一半').waitFor()
    const other = await context.newPage()
    await other.goto('/playground')
    await message(other, '我').waitFor()

    await other.getByRole('button', { name: '清空对话' }).click()
    await confirm(other, '清空')

    await page.getByText('开始对话').waitFor()
    await expect.poll(() => world.upstream.seen[0]?.whole).toBe(false)
    await page.getByRole('button', { name: '发送' }).waitFor()
  })

  test('keeps its pictures in the sending tab if storage for other tabs is full', async () => {
    const world = await relay((exchange) => {
      startStream(exchange)
      exchange.response.end([say('好'), stopChunk()].map(event).join('') + DONE)
    })
    const { page, context } = await open(world, { as: world.person, at: '/playground' })
    const picture = { name: 'large.png', mimeType: 'image/png', buffer: Buffer.alloc(1_300_000) }
    await page.locator('input[type=file]').setInputFiles(picture)
    await page.locator('.composer img').waitFor()
    await send(page, '一')
    await reply(page).getByText('好').waitFor()
    const other = await context.newPage()
    await other.goto('/playground')
    await reply(other).getByText('好').waitFor()
    expect(await message(other, '我').locator('img').count()).toBe(0)

    await send(other, '二')

    await message(page, '我').getByText('二').waitFor()
    expect(await message(page, '我').locator('img').count()).toBe(1)
  })
})
