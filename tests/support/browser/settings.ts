import type { Locator, Page } from 'playwright-core'
import { toast } from '../arco.ts'

/** An area of the settings, by its heading. */
export function area(page: Page, title: string): Locator {
  return page.getByRole('region', { name: title, exact: true })
}

/** Clicks an area's button, and waits for the message. */
export async function press(page: Page, title: string, content: string | RegExp): Promise<void> {
  await area(page, title)
    .locator('button[type="submit"]')
    .first()
    .evaluate((button: HTMLElement) => button.click())
  await toast(page, content).last().waitFor()
}

/** Saves an area, and waits until it has no unsaved changes. */
export async function save(page: Page, title: string): Promise<void> {
  await press(page, title, '保存成功')
  await area(page, title).getByText('未保存', { exact: true }).waitFor({ state: 'hidden' })
}

/** Records the options that the page saves, in order. */
export function savedOptions(page: Page): Record<string, string> {
  const saved: Record<string, string> = {}
  page.on('request', (request) => {
    if (request.method() !== 'PUT' || !request.url().endsWith('/api/option/')) return
    const { key, value } = request.postDataJSON() as { key: string; value: string }
    saved[key] = value
  })
  return saved
}

/** A JSON editor, scrolled into view because it loads only then. Filling it replaces its text. */
export async function json(page: Page, label: string): Promise<Locator> {
  await option(page, label).scrollIntoViewIfNeeded()
  return page.getByRole('textbox', { name: label, exact: true })
}

/** An option with its label, hint and error. */
export function option(page: Page, label: string): Locator {
  return page.locator('.option').filter({ has: page.getByText(label, { exact: true }) })
}
