import type { Locator, Page } from 'playwright-core'

/*
 * Actions on Arco components that need more than a role and a name. For fields, buttons, tabs, switches and menus, use
 * `page.getByLabel` and `page.getByRole`.
 */

/** A `Message` toast. */
export function toast(page: Page, text: string | RegExp): Locator {
  return page.locator('.arco-message').filter({ hasText: text })
}

/** A table row, by a text that no other row contains. */
export function rowOf(within: Page | Locator, text: string | RegExp): Locator {
  return within.getByRole('row').filter({ hasText: text })
}

/** A `Drawer`, which has no role. */
export function drawer(page: Page, title: string | RegExp): Locator {
  return page.locator('.arco-drawer').filter({ has: page.locator('.arco-drawer-header-title', { hasText: title }) })
}

/**
 * Chooses options of a `Select` by their text. A multiple select accepts several options. `label` is the `aria-label`,
 * because a `label` element does not name a `Select`. Types the text of options that a long list hides.
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
  // A multiple select stays open.
  if ((await select.getAttribute('aria-expanded')) === 'true') await page.keyboard.press('Tab')
  await page.getByRole('listbox').waitFor({ state: 'hidden' })
}

/** Checks a checkbox or radio, whose input is hidden behind Arco's elements. */
export async function tick(box: Locator): Promise<void> {
  await box.locator('xpath=ancestor::label[1]').click()
}

/** Confirms a `Modal` or a `Popconfirm` with that title, and waits until it has closed. */
export async function confirm(page: Page, title: string | RegExp): Promise<void> {
  const confirmation = page.getByRole('dialog').or(page.getByRole('tooltip')).filter({ hasText: title })
  await confirmation.locator('.arco-btn-primary').last().click()
  await confirmation.waitFor({ state: 'hidden' })
}
