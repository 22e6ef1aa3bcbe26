import type { Locator } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { choose } from '../../support/arco.ts'
import { expectAccessible } from '../../support/browser/accessible.ts'
import { area, json } from '../../support/browser/settings.ts'
import { reusedConsole } from '../../support/browser.ts'
import { reused } from '../../support/reused.ts'

const gateway = reused()
const open = reusedConsole()

/** What is read out with a field beside its name, and whether it is said to be wrong. */
const saidOf = (field: Locator) =>
  field.evaluate((element) => ({
    invalid: element.getAttribute('aria-invalid'),
    description: (element.getAttribute('aria-describedby') ?? '')
      .split(' ')
      .map((id) => document.getElementById(id)?.textContent)
      .join(' '),
  }))

describe('an invalid option shows an error at its field', () => {
  test('for a quota and JSON, before a request to the server', async () => {
    const world = await gateway()
    const { page } = await open(world, { as: world.root, at: '/setting?tab=operation' })
    const quota = page.getByRole('spinbutton', { name: '新用户初始额度' })
    const ratios = await json(page, '分组倍率')
    expect(await saidOf(ratios)).toMatchObject({ invalid: 'false', description: expect.stringContaining('JSON') })

    await ratios.fill('{"half": ')
    await page.keyboard.press('Tab')
    await quota.fill('')
    await page.keyboard.press('Tab')

    await expect
      .poll(() => saidOf(ratios))
      .toEqual({ invalid: 'true', description: expect.stringContaining('不是合法的 JSON 字符串') })
    await expect.poll(() => saidOf(quota)).toEqual({ invalid: 'true', description: expect.stringMatching(/数字/) })
    await ratios.fill('{}')
    await expect.poll(() => saidOf(ratios)).toMatchObject({ invalid: 'false' })
    await expectAccessible(page, { include: '#quota' })
  })

  test('for every value that the server rejects: a list, a choice, a long text', async () => {
    const world = await gateway()
    const { page } = await open(world, { as: world.root, at: '/setting?tab=system' })
    await page.route('**/api/option/', (route) =>
      route.request().method() === 'PUT'
        ? route.fulfill({ json: { success: false, message: '不行' } })
        : route.continue(),
    )
    const refused = { invalid: 'true', description: expect.stringContaining('不行') }
    const save = (title: string) => area(page, title).locator('button[type="submit"]').first().click()
    const domains = page.getByRole('textbox', { name: '允许的邮箱域名' })

    await domains.fill('one.example')
    await domains.press('Enter')
    await save('邮箱域名白名单')
    await expect.poll(() => saidOf(domains)).toEqual(refused)
    await expectAccessible(page, { include: 'main' })

    await page.goto('/setting?tab=operation')
    await choose(page, '数据看板默认时间粒度', '周')
    await save('数据看板设置')
    await expect.poll(() => saidOf(page.getByRole('combobox', { name: '数据看板默认时间粒度' }))).toEqual(refused)

    await page.goto('/setting?tab=other')
    const notice = page.getByRole('textbox', { name: '公告' })
    await notice.fill('今晚维护')
    await save('公告')
    await expect.poll(() => saidOf(notice)).toEqual(refused)
  })
})
