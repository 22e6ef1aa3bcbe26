import type { BrowserContextOptions, Page } from 'playwright-core'

/** For `openConsole({ browser })`: grants the page access to the clipboard. */
export const CLIPBOARD = { permissions: ['clipboard-read', 'clipboard-write'] } satisfies BrowserContextOptions

export const copied = (page: Page): Promise<string> => page.evaluate(() => navigator.clipboard.readText())

/** Makes copying fail, as on origins without https. */
export async function refuseToCopy(page: Page): Promise<void> {
  await page.evaluate(() => {
    navigator.clipboard.writeText = () => Promise.reject(new DOMException('refused', 'NotAllowedError'))
  })
}
