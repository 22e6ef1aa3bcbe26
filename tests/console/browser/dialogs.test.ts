import { describe, expect, test } from 'vitest'
import { confirm, toast } from '../../support/arco.ts'
import { reusedConsole } from '../../support/browser.ts'
import { reused } from '../../support/reused.ts'

const gateway = reused()
const open = reusedConsole()

describe('a dialog', () => {
  test('belongs to its page, and closes with it: by back, and by the command palette', async () => {
    const world = await gateway()
    await world.token(world.root, { name: 'notebook' })
    const { page } = await open(world, { as: world.root, at: '/topup' })
    const question = page.getByRole('dialog').filter({ hasText: 'notebook' })
    const ask = async () => {
      await page.getByRole('link', { name: '令牌', exact: true }).click()
      await page.getByRole('row').filter({ hasText: 'notebook' }).getByRole('button', { name: /更多/ }).click()
      await page.getByRole('menuitem', { name: '删除' }).click()
      await question.waitFor()
    }

    await ask()
    await page.goBack()
    await page.waitForURL('/topup')
    await question.waitFor({ state: 'hidden' })

    await ask()
    await page.keyboard.press('Control+k')
    await page.getByRole('dialog', { name: '命令面板' }).waitFor()
    await page.keyboard.type('日志')
    await page.getByRole('option', { name: '日志' }).first().waitFor()
    await page.keyboard.press('Enter')
    await page.waitForURL('/log')
    await question.waitFor({ state: 'hidden' })
    expect((await world.toolkit.tokens.list(world.root)).total).toBe(1)
  })

  test('closes with the tab of a page, but the unsaved-changes dialog does not', async () => {
    const world = await gateway()
    const { page } = await open(world, { as: world.root, at: '/setting?tab=personal' })
    await page.getByRole('tab', { name: '运营设置' }).click()
    await page.getByLabel('失败重试次数').fill('2')
    const reset = page.getByRole('dialog').filter({ hasText: '确定重置模型倍率吗？' })
    await page.getByRole('button', { name: '重置模型倍率' }).click()
    await reset.waitFor()

    await page.goBack()
    const leaving = page.getByRole('dialog', { name: '有未保存的修改' })
    await leaving.waitFor()
    await reset.waitFor()
    await leaving.locator('.arco-btn-primary').click()

    await reset.waitFor({ state: 'hidden' })
    await page.waitForURL('/setting?tab=personal')
  })

  test('stays while earlier input is written into the URL', async () => {
    const world = await gateway()
    const { page } = await open(world, { as: world.root, at: '/setting?tab=operation' })
    const reset = page.getByRole('button', { name: '重置模型倍率' })
    await reset.waitFor()

    await page.getByLabel('搜索设置项').fill('倍率')
    await reset.evaluate((button: HTMLButtonElement) => button.click())
    await page.waitForURL(/q=/)

    await confirm(page, '确定重置模型倍率吗？')
    await toast(page, '重置').waitFor()
  })
})
