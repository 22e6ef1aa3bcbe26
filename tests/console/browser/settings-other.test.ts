import { describe, expect, test } from 'vitest'
import { BOTH_THEMES, expectAccessible } from '../../support/browser/accessible.ts'
import { expectFits } from '../../support/browser/fits.ts'
import { area, save, savedOptions } from '../../support/browser/settings.ts'
import { reusedConsole } from '../../support/browser.ts'
import { reused } from '../../support/reused.ts'

const gateway = reused()
const open = reusedConsole()
const AT = '/setting?tab=other'

describe('the other settings', () => {
  test('are saved one by one: notice, name, logo, home page, about and footer', async () => {
    const world = await gateway()
    const { page } = await open(world, { as: world.root, at: AT })
    const sent = savedOptions(page)
    const wanted = {
      公告: ['公告内容', 'Notice', '# News'],
      系统名称: ['系统名称', 'SystemName', 'Example Gateway'],
      Logo: ['Logo 图片地址', 'Logo', '/logo.png'],
      首页内容: ['首页内容', 'HomePageContent', '# Welcome'],
      关于: ['关于页面内容', 'About', '# About us'],
      页脚: ['页脚内容', 'Footer', '<b>Example</b>'],
    } as const

    for (const [title, [label, key, value]] of Object.entries(wanted)) {
      await area(page, title).getByRole('textbox', { name: label }).fill(value)
      await save(page, title)
      expect(await world.toolkit.options.read(world.root, key)).toBe(value)
    }

    expect(Object.keys(sent)).toHaveLength(6)
    await page.getByRole('link', { name: 'Example Gateway' }).first().waitFor() // the top bar has the new name at once
  })

  test('show a preview of a text', async () => {
    const world = await gateway()
    const { page } = await open(world, { as: world.root, at: AT })
    const notice = area(page, '公告')

    await notice.getByRole('tab', { name: '预览' }).click()
    await notice.getByText('没有可以预览的内容。').waitFor()
    await notice.getByRole('tab', { name: '编辑' }).click()
    await page.getByLabel('公告内容').fill('# News\n\n<script>alert(1)</script>')
    await notice.getByRole('tab', { name: '预览' }).click()
    await notice.getByRole('heading', { name: 'News' }).waitFor()
    expect(await notice.locator('script').count()).toBe(0)
    await page.getByLabel('Logo 图片地址').fill('/logo.png')
    await page.getByRole('img', { name: 'Logo 图片地址' }).waitFor()
    await page.getByLabel('页脚内容').fill('<b>Example</b>')
    await area(page, '页脚').getByRole('tab', { name: '预览' }).click()
    await area(page, '页脚').frameLocator('iframe').getByText('Example').waitFor()
  })

  test('are accessible in both themes, and fit a phone', async () => {
    const world = await gateway()
    const { page } = await open(world, { as: world.root, at: AT })
    await area(page, '页脚').waitFor()
    await expectAccessible(page, { themes: BOTH_THEMES })

    await page.setViewportSize({ width: 390, height: 844 })
    await expectFits(page)
  })
})
