import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { rowOf, toast } from '../../support/arco.ts'
import { BOTH_THEMES, expectAccessible } from '../../support/browser/accessible.ts'
import { reusedConsole } from '../../support/browser.ts'
import type { TestGateway } from '../../support/gateway.ts'
import { reused } from '../../support/reused.ts'
import { drawing } from '../../support/task-rows.ts'
import type { Person } from '../../support/toolkit.ts'

const gateway = reused()
const open = reusedConsole()

const MINUTE_MS = 60_000
const DAY_MS = 24 * 60 * MINUTE_MS

/** A drawing of that person's, finished within half a minute unless told otherwise. */
function draw({ toolkit }: TestGateway, { id }: Person, row: Record<string, unknown> = {}): Promise<void> {
  const submit_time = Date.now() - 5 * MINUTE_MS
  return drawing(toolkit, {
    user_id: id,
    code: 1,
    action: 'IMAGINE',
    mj_id: 'mj-1',
    status: 'SUCCESS',
    progress: '100%',
    submit_time,
    finish_time: submit_time + MINUTE_MS / 2,
    channel_id: 7,
    ...row,
  })
}

const texts = async (page: Page, id: string) => (await rowOf(page, id).getByRole('cell').allTextContents()).join(' | ')

describe('the drawings of an administrator', () => {
  test('include all users, with the label and color of each status', async () => {
    const world = await gateway()
    const ann = await world.user()
    const looks = [
      ['IMAGINE', '绘图', 1, '已提交', 'SUCCESS', '成功'],
      ['UPSCALE', '放大', 21, '等待中', 'NOT_START', '未启动'],
      ['VARIATION', '变换', 22, '重复提交', 'SUBMITTED', '队列中'],
      ['HIGH_VARIATION', '强变换', 0, '未提交', 'IN_PROGRESS', '执行中'],
      ['LOW_VARIATION', '弱变换', 99, '未知', 'FAILURE', '失败'],
      ['PAN', '平移', 1, '已提交', 'MODAL', '窗口等待'],
      ['DESCRIBE', '图生文', 1, '已提交', 'QUEUED', '排队中'],
      ['BLEND', '图混合', 1, '已提交', 'UNKNOWN', '未知'],
      ['UPLOAD', '上传文件', 1, '已提交', '', '正在提交'],
      ['SHORTEN', '缩词', 1, '已提交', 'INVENTED', '未知'],
      ['REROLL', '重绘', 1, '已提交', 'SUCCESS', '成功'],
      ['INPAINT', '局部重绘-提交', 1, '已提交', 'SUCCESS', '成功'],
      ['ZOOM', '变焦', 1, '已提交', 'SUCCESS', '成功'],
      ['CUSTOM_ZOOM', '自定义变焦-提交', 1, '已提交', 'SUCCESS', '成功'],
      ['MODAL', '窗口处理', 1, '已提交', 'SUCCESS', '成功'],
      ['SWAP_FACE', '换脸', 1, '已提交', 'SUCCESS', '成功'],
    ] as const
    for (const [action, , code, , status] of looks)
      await draw(world, ann, { action, mj_id: `of-${action}`, code, status })
    const slow = Date.now() - 4 * MINUTE_MS
    await draw(world, ann, { mj_id: 'slow', submit_time: slow, finish_time: slow + MINUTE_MS + 500 })
    const { page } = await open(world, { as: world.root, at: '/midjourney?size=50' })

    await rowOf(page, 'slow').waitFor()

    for (const [action, what, , code, , status] of looks) {
      const row = await texts(page, `of-${action}`)
      for (const word of ['7', what, code, status]) expect(row, action).toContain(word)
    }
    const took = (id: string, text: string) => rowOf(page, id).locator('.arco-tag', { hasText: text })
    expect(await took('slow', '60.5 秒').getAttribute('class')).toContain('arco-tag-red')
    expect(await took('of-ZOOM', '30 秒').getAttribute('class')).toContain('arco-tag-green')
    await page.getByText(/Midjourney 回调未开启/).waitFor()
    expect(await page.getByRole('link', { name: '运营设置' }).getAttribute('href')).toBe('/setting?tab=operation')
    await expectAccessible(page, { themes: BOTH_THEMES })
  })

  test('are filtered by channel, id and time, which are in the URL', async () => {
    const world = await gateway()
    const ann = await world.user()
    await draw(world, ann, { mj_id: 'here' })
    await draw(world, ann, { mj_id: 'elsewhere', channel_id: 8 })
    await draw(world, ann, { mj_id: 'long-ago', submit_time: Date.now() - 31 * DAY_MS })
    await draw(world, ann, { mj_id: 'ahead', submit_time: Date.now() + 50 * MINUTE_MS })
    const { page } = await open(world, { as: world.root, at: '/midjourney' })
    await rowOf(page, 'ahead').waitFor()
    await page.getByText('共 3 条').waitFor()

    for (const text of ['x', '0']) {
      await page.getByLabel('渠道 ID').fill(text)
      await page.keyboard.press('Enter')
      await toast(page, '渠道 ID 必须是正整数').waitFor()
      await toast(page, '渠道 ID 必须是正整数').waitFor({ state: 'detached' })
    }
    await page.getByLabel('渠道 ID').fill('8')
    await page.keyboard.press('Enter')
    await page.getByText('共 1 条').waitFor()
    await rowOf(page, 'elsewhere').waitFor()
    await page.reload()
    await rowOf(page, 'elsewhere').waitFor()
    await page.getByLabel('任务 ID').fill('here')
    await page.getByRole('button', { name: '搜索', exact: true }).last().click()
    await page.getByText('没有符合条件的记录').waitFor()
    await page.getByRole('button', { name: '清除筛选' }).click()
    await page.getByText('共 3 条').waitFor()

    const from = Math.floor((Date.now() - 40 * DAY_MS) / 1000)
    await page.goto(`/midjourney?from=${from}&to=${from + 20 * 86_400}`)
    await rowOf(page, 'long-ago').waitFor()
    await page.getByText('共 1 条').waitFor()
  })
})

describe('the drawings of a user', () => {
  test('are their own only, with picture, prompts and the reason of a failure', async () => {
    const world = await gateway()
    const [ann, bob] = [await world.user(), await world.user()]
    const reason = 'The upstream refused it. '.repeat(20)
    await draw(world, ann, {
      mj_id: 'shown',
      image_url: 'https://cdn.test/a.png',
      prompt: '灯塔',
      prompt_en: 'a lighthouse',
    })
    await draw(world, ann, { mj_id: 'failed', status: 'FAILURE', fail_reason: reason })
    await draw(world, bob, { mj_id: 'of-bob' })
    const { page } = await open(world, { as: ann })
    await page.route('**/mj/image/shown?signature=*', (route) =>
      route.fulfill({
        contentType: 'image/svg+xml',
        body: '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>',
      }),
    )
    await page.goto('/midjourney')
    await rowOf(page, 'shown').waitFor()
    expect(await rowOf(page, 'of-bob').count()).toBe(0)
    expect(await page.getByLabel('渠道 ID').count()).toBe(0)
    expect(await page.getByRole('columnheader', { name: '渠道' }).count()).toBe(0)
    expect(await page.getByText(/Midjourney 回调未开启/).count()).toBe(0)

    await rowOf(page, 'shown').getByRole('button', { name: '查看图片' }).click()
    const details = page.getByRole('dialog').filter({ hasText: '任务详情' })
    await details.getByRole('img', { name: '任务 shown 的图片' }).waitFor()
    await details.getByText('a lighthouse').waitFor()
    await expectAccessible(page, { include: '.arco-modal', themes: BOTH_THEMES })
    await page.keyboard.press('Escape')
    await details.waitFor({ state: 'hidden' })

    await rowOf(page, 'failed').getByRole('button', { name: reason.trim() }).press('Enter')
    await page.getByRole('dialog').getByText(reason.trim()).waitFor()
  })

  test('update while the page is open', async () => {
    const world = await gateway()
    const ann = await world.user()
    await draw(world, ann, { mj_id: 'running', status: 'IN_PROGRESS', progress: '42%', finish_time: 0 })
    const { page } = await open(world, { as: ann, at: '/midjourney' })
    await rowOf(page, 'running').getByText('执行中').waitFor()
    expect(await rowOf(page, 'running').getByRole('progressbar', { name: '进度' }).getAttribute('aria-valuenow')).toBe(
      '42',
    )

    await world.toolkit.db.transaction((trx) => trx('midjourneys').update({ status: 'SUCCESS', progress: '100%' }))

    await rowOf(page, 'running').getByText('成功').waitFor()
  })

  test('are submitted by programs: an empty list shows how, on a phone too', async () => {
    const world = await gateway()
    await world.toolkit.options.set(world.root, 'DrawingEnabled', 'false')
    const { page } = await open(world, { as: await world.user(), at: '/midjourney', width: 390 })

    await page.getByText('还没有绘图任务').waitFor()
    await page.getByText('/mj/submit/imagine').waitFor()
    await page.getByText('平台未启用绘图，此页面仅显示已有的任务。').waitFor()
    await expectAccessible(page, { themes: BOTH_THEMES })
  })
})
