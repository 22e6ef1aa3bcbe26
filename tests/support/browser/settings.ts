import type { Locator, Page } from 'playwright-core'
import { toast } from '../arco.ts'

/** The card of an area of settings, by its heading. */
export function area(page: Page, title: string): Locator {
  return page.getByRole('region', { name: title, exact: true })
}

/** Presses the button of an area, and waits for what is said. */
export async function press(page: Page, title: string, said: string | RegExp): Promise<void> {
  await area(page, title).locator('button[type="submit"]').first().click()
  await toast(page, said).last().waitFor()
}

/** Presses the button of an area, and waits until nothing in it is unsaved. */
export async function save(page: Page, title: string): Promise<void> {
  await press(page, title, '保存成功')
  await area(page, title).getByText('未保存', { exact: true }).waitFor({ state: 'hidden' })
}

/** Which options the page saves from now on, in the order of the calls. */
export function savedOptions(page: Page): Record<string, string> {
  const saved: Record<string, string> = {}
  page.on('request', (request) => {
    if (request.method() !== 'PUT' || !request.url().endsWith('/api/option/')) return
    const { key, value } = request.postDataJSON() as { key: string; value: string }
    saved[key] = value
  })
  return saved
}

/** An editor for JSON, which is there once one has scrolled to it. Filling it puts a text in place of all it has. */
export async function json(page: Page, label: string): Promise<Locator> {
  await option(page, label).scrollIntoViewIfNeeded()
  return page.getByRole('textbox', { name: label, exact: true })
}

/** An option with its label and what is said of it. */
export function option(page: Page, label: string): Locator {
  return page.locator('.option').filter({ has: page.getByText(label, { exact: true }) })
}
