import { expect, test } from 'vitest'
import { toast } from '../../support/arco.ts'
import { reusedConsole } from '../../support/browser.ts'
import { reused } from '../../support/reused.ts'

const gateway = reused()
const open = reusedConsole()

test('the second click of a double click chooses nothing from a closing menu', async () => {
  const world = await gateway()
  await world.channel({ name: 'one', models: 'm', base_url: 'http://127.0.0.1:9' })
  const { page } = await open(world, { as: world.root, at: '/channel' })
  await page.getByRole('button', { name: '更多操作 one', exact: true }).click()
  const copy = page.getByRole('menuitem', { name: '复制' })

  await copy.dispatchEvent('click', { detail: 2 })
  await copy.dispatchEvent('click', { detail: 1 })

  await toast(page, '渠道复制成功').waitFor()
  expect(await page.locator('.arco-message-success').count()).toBe(1)
  await expect.poll(async () => (await world.toolkit.channels.list(world.root)).items.length).toBe(2)
})

test('a double click deletes one message, not the next one that moves into its place', async () => {
  const world = await gateway()
  const { page } = await open(world, { as: world.root, at: '/playground' })
  const settings = { model: 'm', group: '', temperature: 0, maxTokens: 0, systemPrompt: '' }
  const messages = ['一', '二'].map((content, place) => {
    const role = place === 0 ? 'user' : 'assistant'
    return { id: content, role, content, images: [], reasoning: '', status: 'complete' }
  })
  const kept = JSON.stringify({ userId: world.root.id, settings, messages })
  await page.evaluate((kept) => localStorage.setItem('playground', kept), kept)
  await page.reload()
  const message = (who: '我' | '助手') => page.getByRole('article', { name: who })
  const remove = (who: '我' | '助手') => message(who).getByRole('button', { name: '删除' })

  await remove('我').dispatchEvent('click', { detail: 1 })
  await remove('助手').dispatchEvent('click', { detail: 2 })
  await page.reload()

  await message('助手').waitFor()
  expect(await message('我').count()).toBe(0)
})
