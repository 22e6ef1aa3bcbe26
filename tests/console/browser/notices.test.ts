import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { choose, confirm, toast } from '../../support/arco.ts'
import { BOTH_THEMES, expectAccessible } from '../../support/browser/accessible.ts'
import { expectFits } from '../../support/browser/fits.ts'
import { reusedConsole } from '../../support/browser.ts'
import { reused } from '../../support/reused.ts'

const gateway = reused()
const open = reusedConsole()

const drawer = (page: Page) => page.getByRole('dialog')
const AT = '/setting'
const SLACK = {
  kind: 'slack',
  name: 'ops',
  settings: { url: 'http://10.0.0.1/hook' },
  events: ['channel.disabled', 'job.failed'],
  gateway: true,
} as const

describe('notices', () => {
  test('of the gateway are created, tested and removed by root', async () => {
    const world = await gateway()
    const { targets } = world.toolkit.notices
    const list = () => targets.list(world.root, { gateway: true })
    const { page } = await open(world, { as: world.root, at: AT })
    await page.getByText('还没有通知目标').last().waitFor()

    await page.getByRole('button', { name: '添加网关通知目标' }).click()
    await choose(drawer(page), '方式', 'Slack')
    await drawer(page).getByLabel('名称').fill('ops')
    await drawer(page).getByLabel('地址').fill('http://10.0.0.1/hook')
    await choose(drawer(page), '事件', '定期任务失败')
    await drawer(page).getByRole('button', { name: '提交' }).click()
    await toast(page, '操作成功')
    await expect.poll(list).toMatchObject([{ name: 'ops', kind: 'slack', events: ['job.failed'], language: 'zh' }])

    await page.getByRole('button', { name: '向 ops 发送测试通知' }).click()
    await toast(page, '测试通知未送达')
    await page.getByText('its host is not a public one').last().waitFor()
    await page.getByRole('switch', { name: '启用通知目标 ops' }).click()
    await expect.poll(list).toMatchObject([{ enabled: false }])
    await expectAccessible(page, { themes: BOTH_THEMES })

    await page.getByRole('button', { name: '移除通知目标 ops' }).click()
    await confirm(page, '移除此通知目标')
    await expect.poll(list).toEqual([])
  })

  test('of the gateway are toggled, but not removed, by other administrators', async () => {
    const world = await gateway()
    await world.toolkit.notices.targets.create(world.root, { ...SLACK, events: [...SLACK.events] })
    const { page } = await open(world, { as: await world.user({ role: 10 }), at: AT, language: 'en', width: 390 })
    await page.getByText('Channel disabled').waitFor()
    await page.getByRole('switch', { name: 'Enable target ops' }).waitFor()
    expect(await page.getByRole('button', { name: 'Remove target ops' }).count()).toBe(0)
    expect(await page.getByRole('button', { name: 'Add target of the gateway' }).count()).toBe(0)
    await expectFits(page)
  })

  test('have thresholds that users set for their balance, keys and teams, and administrators for users', async () => {
    const world = await gateway()
    const user = await world.user()
    const token = await world.token(user, { name: 'app' })
    const { thresholds } = world.toolkit.notices
    const setTo = async (page: Page, percents: string) => {
      const input = page.getByRole('textbox', { name: /used$/ })
      await input.waitFor()
      for (let count = 0; count < 5; count++) await input.press('Backspace')
      await input.pressSequentially(`${percents},`)
      await page.getByRole('button', { name: 'Save thresholds' }).click()
      await toast(page, 'The thresholds are saved').first().waitFor()
    }
    const { page } = await open(world, { as: user, at: '/setting', language: 'en' })
    await setTo(page, '101,50')
    expect(await thresholds.list(user)).toEqual([{ subject: 'user', subject_id: user.id, percents: [50] }])
    await page.goto(`${world.url}/token?open=${token.id}`)
    await setTo(page, '75,90')
    expect(await thresholds.list(user)).toMatchObject([
      { subject: 'token', subject_id: token.id, percents: [75, 90] },
      { subject: 'user', percents: [50] },
    ])
    const team = await world.toolkit.teams.create(user, { name: 'noticed' })
    await page.goto(`${world.url}/team/${team.id}`)
    await setTo(page, '40')
    expect(await thresholds.list(user)).toContainEqual({ subject: 'user', subject_id: team.id, percents: [40] })
    await expectFits(page)
    await page.close()
    const admin = await open(world, { as: world.root, at: `/user/edit/${user.id}`, language: 'en' })
    await admin.page.getByText('50', { exact: true }).waitFor()
    await setTo(admin.page, '60')
    expect(await thresholds.list(user)).toContainEqual({ subject: 'user', subject_id: user.id, percents: [60] })
  })

  test('of an account are created by its user', async () => {
    const world = await gateway()
    const user = await world.user()
    const { page } = await open(world, { as: user, at: '/setting' })
    await page.getByRole('button', { name: '添加通知目标' }).click()
    await choose(drawer(page), '方式', '邮件')
    await drawer(page).getByLabel('名称').fill('me')
    await choose(drawer(page), '事件', '新登录')
    await drawer(page).getByRole('button', { name: '提交' }).click()
    await toast(page, '操作成功')
    await expect
      .poll(() => world.toolkit.notices.targets.list(user))
      .toMatchObject([{ kind: 'mail', events: ['sign-in.new'] }])
  })
})
