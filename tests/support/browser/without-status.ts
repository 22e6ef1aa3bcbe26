import type { Page } from 'playwright-core'

/** Removes the embedded status from pages, so that they must request it. */
export async function withoutEmbeddedStatus(page: Page): Promise<void> {
  await page.addInitScript(() => {
    // Module scripts run only after the whole page is parsed.
    new MutationObserver(() => document.querySelector('script#status')?.remove()).observe(document, {
      childList: true,
      subtree: true,
    })
  })
}
