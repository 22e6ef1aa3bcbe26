import type { Locator, Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { rowOf } from '../../support/arco.ts'
import { BOTH_THEMES, expectAccessible } from '../../support/browser/accessible.ts'
import { reusedConsole } from '../../support/browser.ts'
import { reused } from '../../support/reused.ts'

const gateway = reused()
const open = reusedConsole()

const drawer = (page: Page): Locator => page.locator('.arco-drawer')
const field = (page: Page, name: string): Locator => drawer(page).getByRole('textbox', { name, exact: true })

describe('the audit', () => {
  test('shows root who changed what, with filters and the previous values', async () => {
    const world = await gateway()
    const ann = await world.user({ role: 10 })
    const channel = await world.toolkit.channels.create(ann, { name: 'by ann', type: 1, key: 'sk-ann', models: 'm' })
    await world.toolkit.channels.update(ann, channel.id, { weight: 7 })
    await world.toolkit.options.set(world.root, 'RetryTimes', '2')
    const { page } = await open(world, { as: world.root, at: '/audit' })
    await rowOf(page, 'option:RetryTimes').waitFor()
    const row = (await rowOf(page, 'channel.update').getByRole('cell').allTextContents()).join(' | ')
    for (const word of [ann.username, `channel:${channel.id}`, 'weight']) expect(row).toContain(word)

    await rowOf(page, 'channel.update').getByRole('button').click()
    const change = page.locator('.audit-changes')
    await change.getByRole('row', { name: 'weight 0 7' }).waitFor()
    await expectAccessible(page, { themes: BOTH_THEMES })

    await page.goto(`/audit?actor=${ann.username}&action=channel.create`)
    await rowOf(page, 'channel.create').waitFor()
    expect(await page.getByRole('row').filter({ hasText: 'channel.' }).count()).toBe(1)
    expect(await page.getByLabel('操作者').first().inputValue()).toBe(ann.username)
    expect(await page.content()).not.toContain('sk-ann')
  })

  test('labels the values before and after a change on a phone, too', async () => {
    const world = await gateway()
    await world.toolkit.options.set(world.root, 'RetryTimes', '2')
    const { page } = await open(world, { as: world.root, at: '/audit?action=option.set', width: 390 })
    await page.getByRole('button', { name: /^展开第 1 行详情/ }).click()
    for (const name of ['修改前', '修改后']) {
      const header = page.locator('.audit-changes').getByRole('columnheader', { name })
      expect((await header.boundingBox())?.width).toBeGreaterThan(30)
    }
  })

  test('loads older rows on a click, each once', async () => {
    const world = await gateway()
    const { audit, db } = world.toolkit
    const acts = Array.from({ length: 60 }, (_, at) => ({ action: 'log.clear', object: `log:${at}` }) as const)
    await db.transaction((trx) => audit.write(trx, world.root, ...acts))
    const { page } = await open(world, { as: world.root, at: '/audit?action=log' })
    await rowOf(page, 'log:59').waitFor()
    expect(await page.getByText('log:5', { exact: true }).count()).toBe(0)
    await page.getByRole('button', { name: '更早的操作' }).click()
    // With the header; of so many, the rows in sight are drawn.
    await expect.poll(() => page.getByRole('table').getAttribute('aria-rowcount')).toBe('61')
    await page.locator('.data-table-scroll').evaluate((element) => element.scrollTo(0, element.scrollHeight))
    await page.getByText('log:0', { exact: true }).waitFor()
    expect(await page.getByRole('button', { name: '更早的操作' }).count()).toBe(0)
  })

  test('is neither offered nor shown to administrators', async () => {
    const world = await gateway()
    const { page } = await open(world, { as: await world.user({ role: 10 }), at: '/user' })
    await page.getByRole('link', { name: '用户管理' }).waitFor()
    expect(await page.getByRole('link', { name: '审计' }).count()).toBe(0)
  })
})

describe('the drawer of a channel', () => {
  test('asks an administrator for the key again before the address changes', async () => {
    const world = await gateway()
    const ann = await world.user({ role: 10 })
    const { id } = await world.channel({ key: 'sk-stored' })
    const { page } = await open(world, { as: ann, at: `/channel/edit/${id}` })
    await field(page, 'API 地址').fill('https://elsewhere.example')
    await drawer(page).getByRole('button', { name: '提交', exact: true }).click()
    await drawer(page).getByText('这些更改会将已存的密钥发往别处').waitFor()
    expect((await world.toolkit.channels.get(world.root, id)).base_url).toBe('')
    await field(page, '密钥').fill('sk-again')
    await drawer(page).getByRole('button', { name: '提交', exact: true }).click()
    await expect
      .poll(async () => (await world.toolkit.channels.get(world.root, id)).base_url)
      .toBe('https://elsewhere.example')
  })
})
