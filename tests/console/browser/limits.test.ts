import { mkdir } from 'node:fs/promises'
import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { choose, confirm, rowOf, toast } from '../../support/arco.ts'
import { BOTH_THEMES, expectAccessible } from '../../support/browser/accessible.ts'
import { expectFits } from '../../support/browser/fits.ts'
import { reusedConsole } from '../../support/browser.ts'
import { reused } from '../../support/reused.ts'

const gateway = reused()
const open = reusedConsole()

const drawer = (page: Page) => page.getByRole('dialog')

/** For people to look at, where a folder is named. */
async function picture(page: Page, name: string): Promise<void> {
  const folder = process.env.LIMITS_PICTURES
  if (!folder) return
  await mkdir(folder, { recursive: true })
  await page.screenshot({ path: `${folder}/${name}.png` })
}

/** A user with a key that has used a half of its requests. */
async function limited() {
  const world = await gateway()
  const user = await world.user()
  const token = await world.token(user, { name: 'limited' })
  const subject = { subject: 'token', subject_id: String(token.id) } as const
  const [requests] = await world.toolkit.limits.set(world.root, [
    { ...subject, measure: 'requests', period: 'day', amount: 200, time_zone: 'Asia/Shanghai' },
    { ...subject, measure: 'quota', period: 'month', amount: 5_000_000, time_zone: 'Asia/Shanghai' },
    { subject: 'user', subject_id: '*', measure: 'requests', period: 'minute', amount: 60 },
    {
      subject: 'channel',
      subject_id: '*',
      measure: 'concurrent',
      period: 'none',
      amount: 10,
      action: 'queue',
      wait_seconds: 5,
    },
  ])
  const counters = world.toolkit.liveLimits.applicable?.countersOfCaller({
    token: { id: token.id },
    user,
    group: 'default',
    model: 'm',
    address: '127.0.0.1',
  } as never)
  for (let turn = 0; turn < 50; turn++) {
    const hold = await world.toolkit.liveLimits.acquire(counters ?? [], { tokens: 1, quota: { quota: 80_000 } })
    hold.reportUsage({ tokens: 1, quota: 80_000 })
    hold.end()
  }
  return { world, user, token, limit: requests }
}

describe('limits', () => {
  test('are shown to an administrator with their usage', async () => {
    const { world } = await limited()
    const admin = await world.user({ role: 10 })
    const { page } = await open(world, { as: admin, at: '/limit' })

    await rowOf(page, 'limited').first().getByText('50').first().waitFor()
    await page.getByText('每个用户').waitFor()
    await page.getByText('排队最多 5 秒').waitFor()
    await expectAccessible(page, { themes: BOTH_THEMES })
    await picture(page, 'limits-zh-light')
  })

  test('are set, changed and removed', async () => {
    const world = await gateway()
    const admin = await world.user({ role: 10 })
    const list = () => world.toolkit.limits.list(admin)
    const { page } = await open(world, { as: admin, at: '/limit' })
    await page.getByText('还没有限制').waitFor()

    await page.getByRole('button', { name: '添加限制' }).first().click()
    await drawer(page).getByLabel('上限').fill('30')
    await drawer(page).getByLabel('时区').fill('Asia/Shanghai')
    await picture(page, 'limit-drawer-zh-light')
    await drawer(page).getByRole('button', { name: '提交' }).click()
    await toast(page, '操作成功')
    await expect.poll(list).toMatchObject([
      {
        subject: 'user',
        subject_id: '*',
        measure: 'requests',
        period: 'minute',
        amount: 30,
        time_zone: 'Asia/Shanghai',
      },
    ])

    await page.getByRole('button', { name: '编辑每个用户的限制' }).click()
    await choose(drawer(page), '窗口', '每小时')
    await drawer(page).getByRole('button', { name: '提交' }).click()
    await expect.poll(list).toMatchObject([{ period: 'hour', amount: 30 }])

    await page.getByRole('button', { name: '移除每个用户的限制' }).click()
    await confirm(page, '移除此限制？')
    await expect.poll(list).toEqual([])
  })

  test('of their own keys are shown to users as bars in the list', async () => {
    const { world, user } = await limited()
    const { page } = await open(world, { as: user, at: '/token' })

    await rowOf(page, 'limited').locator('.limit-usage').first().waitFor()
    await rowOf(page, 'limited').getByText('50').first().waitFor()
    await expectAccessible(page, { themes: BOTH_THEMES })
    await picture(page, 'tokens-zh-light')
  })

  test.each([
    { name: 'limits-en-dark', at: '/limit', theme: 'dark', language: 'en' },
    { name: 'limits-phone', at: '/limit', width: 390 },
    { name: 'tokens-en-dark', at: '/token', theme: 'dark', language: 'en' },
    { name: 'tokens-phone', at: '/token', width: 390 },
  ] as const)('fit the screen: $name', async ({ name, at, ...look }) => {
    const { world, user } = await limited()
    const as = at === '/limit' ? await world.user({ role: 10 }) : user
    const { page } = await open(world, { as, at, ...look })

    await page
      .getByText(/limited/)
      .first()
      .waitFor()
    await picture(page, name)

    await expectFits(page)
  })
})
