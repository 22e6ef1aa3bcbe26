import { describe, expect, test } from 'vitest'
import { rowOf } from '../../support/arco.ts'
import { BOTH_THEMES, expectAccessible } from '../../support/browser/accessible.ts'
import { reusedConsole } from '../../support/browser.ts'
import type { TestGateway } from '../../support/gateway.ts'
import { reused } from '../../support/reused.ts'
import { asyncTask } from '../../support/task-rows.ts'
import type { Person } from '../../support/toolkit.ts'

const gateway = reused()
const open = reusedConsole()

const DAY_S = 86_400
const nowS = () => Math.floor(Date.now() / 1000)

/** A task of that person's, submitted a moment ago unless told otherwise. */
function submit({ toolkit }: TestGateway, { id }: Person, row: Record<string, unknown> = {}): Promise<void> {
  return asyncTask(toolkit, {
    user_id: id,
    platform: 'suno',
    action: 'MUSIC',
    task_id: 'task-1',
    status: 'SUCCESS',
    progress: '100%',
    submit_time: nowS(),
    finish_time: nowS() + 30,
    channel_id: 7,
    ...row,
  })
}

describe('the tasks of an administrator', () => {
  test('include all users since midnight, with the label of each status', async () => {
    const world = await gateway()
    const ann = await world.user()
    const looks = [
      ['SUCCESS', '成功'],
      ['NOT_START', '未启动'],
      ['SUBMITTED', '队列中'],
      ['IN_PROGRESS', '执行中'],
      ['FAILURE', '失败'],
      ['QUEUED', '排队中'],
      ['UNKNOWN', '未知'],
      ['', '正在提交'],
    ] as const
    for (const [status] of looks) await submit(world, ann, { task_id: `is-${status}-`, status })
    await submit(world, ann, { task_id: 'words', action: 'LYRICS', finish_time: nowS() + 61 })
    await submit(world, ann, { task_id: 'old', submit_time: nowS() - 2 * DAY_S, channel_id: 8 })
    const { page } = await open(world, { as: world.root, at: '/task' })
    await page.getByText('共 9 条').waitFor()

    for (const [status, text] of looks) {
      const row = (await rowOf(page, `is-${status}-`).getByRole('cell').allTextContents()).join(' | ')
      for (const word of ['7', 'suno', '生成音乐', text]) expect(row, status).toContain(word)
    }
    await rowOf(page, 'words').getByText('生成歌词').waitFor()
    const took = (id: string, text: string) => rowOf(page, id).locator('.arco-tag', { hasText: text })
    expect(await took('words', '61 秒').getAttribute('class')).toContain('arco-tag-red')
    expect(await took('is-QUEUED-', '30 秒').getAttribute('class')).toContain('arco-tag-green')
    await expectAccessible(page, { themes: BOTH_THEMES })

    await page.goto(`/task?from=${nowS() - 3 * DAY_S}&channel_id=8`)
    await rowOf(page, 'old').waitFor()
    await page.getByText('共 1 条').waitFor()
    expect(await page.getByLabel('渠道 ID').inputValue()).toBe('8')
  })
})

describe('the tasks of a user', () => {
  test('are their own only; an id shows the whole record and its audio', async () => {
    const world = await gateway()
    const [ann, bob] = [await world.user(), await world.user()]
    const songs = [{ title: '雨', audio_url: 'https://cdn.test/rain.mp3' }, { audio_url: 'http://cdn.test/plain.mp3' }]
    await submit(world, ann, { task_id: 'sung', data: JSON.stringify(songs) })
    await submit(world, ann, { task_id: 'failed', status: 'FAILURE', fail_reason: '账户余额不足' })
    await submit(world, bob, { task_id: 'of-bob' })
    const { page } = await open(world, { as: ann, at: '/task' })
    await page.getByText('共 2 条').waitFor()
    expect(await page.getByLabel('渠道 ID').count()).toBe(0)

    await page.getByRole('button', { name: 'sung' }).press('Enter')
    const details = page.getByRole('dialog').filter({ hasText: '任务详情' })
    await details.getByLabel('播放 雨').waitFor()
    expect(await details.locator('audio').count()).toBe(1)
    await details.getByLabel('完整记录').getByText('"task_id"').waitFor()
    await expectAccessible(page, { include: '.arco-modal', themes: BOTH_THEMES })
    await page.keyboard.press('Escape')
    await details.waitFor({ state: 'hidden' })

    await page.getByRole('button', { name: '账户余额不足' }).click()
    await page.getByRole('dialog').getByText('账户余额不足').waitFor()
    await page.getByRole('dialog').getByRole('button', { name: '关闭' }).click()

    await page.getByLabel('任务 ID').fill('failed')
    await page.keyboard.press('Enter')
    await page.getByText('共 1 条').waitFor()
    expect(new URL(page.url()).searchParams.get('id')).toBe('failed')
  })

  test('are submitted by programs: an empty list shows how, on a phone too', async () => {
    const world = await gateway()
    const { page } = await open(world, { as: await world.user(), at: '/task', width: 390 })

    await page.getByText('今天还没有任务').waitFor()
    await page.getByText('/suno/submit/music').waitFor()
    await expectAccessible(page, { themes: BOTH_THEMES })
  })
})
