import type { Locator, Page } from 'playwright-core'

/*
 * Gestures in Arco's components for which a role and a name are not enough. Fields, buttons, tabs, switches and menus need
 * nothing of this: `page.getByLabel`, `page.getByRole`.
 */

/** What `Message` says above the page for a moment. */
export function toast(page: Page, text: string | RegExp): Locator {
  return page.locator('.arco-message').filter({ hasText: text })
}

/** A row of a table, by a text that only it has. */
export function rowOf(within: Page | Locator, text: string | RegExp): Locator {
  return within.getByRole('row').filter({ hasText: text })
}

/** A `Drawer` has no role of its own. */
export function drawer(page: Page, title: string | RegExp): Locator {
  return page.locator('.arco-drawer').filter({ has: page.locator('.arco-drawer-header-title', { hasText: title }) })
}

/**
 * Chooses from a `Select` by the texts of its options: one, or several where it takes several. `label` is its `aria-label`; a
 * `label` element does not reach it. What a long list does not show yet is typed.
 */
export async function choose(within: Page | Locator, label: string, ...options: string[]): Promise<void> {
  const page = 'page' in within ? within.page() : within
  const select = within.getByRole('combobox', { name: label, exact: true })
  await select.click()
  for (const name of options) {
    const option = page.getByRole('option', { name, exact: true })
    await page.getByRole('option').first().waitFor()
    if ((await option.count()) === 0) await page.keyboard.type(name)
    await option.click()
  }
  // One that takes several stays open.
  if ((await select.getAttribute('aria-expanded')) === 'true') await page.keyboard.press('Tab')
  await page.getByRole('listbox').waitFor({ state: 'hidden' })
}

/** Ticks a checkbox or picks a radio, whose own element is hidden behind what Arco draws. */
export async function tick(box: Locator): Promise<void> {
  await box.locator('xpath=ancestor::label[1]').click()
}

/** Answers yes to a `Modal` or a `Popconfirm` of that title, and waits for it to go. */
export async function confirm(page: Page, title: string | RegExp): Promise<void> {
  const asked = page.getByRole('dialog').or(page.getByRole('tooltip')).filter({ hasText: title })
  await asked.locator('.arco-btn-primary').last().click()
  await asked.waitFor({ state: 'hidden' })
}
