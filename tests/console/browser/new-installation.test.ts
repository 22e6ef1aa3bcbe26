import { expect, test } from 'vitest'
import { OPTIONS } from '../../../core/options/registry.ts'
import { reusedConsole } from '../../support/browser.ts'
import { reused } from '../../support/reused.ts'

const gateway = reused()
const open = reusedConsole()

test('the settings of a new installation mark no option as changed', async () => {
  const world = await gateway()
  for (const { key, initial } of Object.values(OPTIONS))
    if (initial !== undefined) await world.toolkit.options.set(world.root, key, initial)
  const { page } = await open(world, { as: world.root })
  const marks = page.locator('.option-changed')

  for (const tab of ['operation', 'system', 'other']) {
    await page.goto(`/setting?tab=${tab}`)
    await page.locator('.option').first().waitFor()
    await page.waitForLoadState('networkidle')
    expect(await marks.count(), tab).toBe(0)
  }

  await page.goto('/setting?tab=operation')
  const retries = page.getByLabel('失败重试次数', { exact: true })
  await retries.fill('5')
  await marks.getByRole('button').click()
  expect(await retries.inputValue()).toBe('2')
  expect(await marks.count()).toBe(0)
})
