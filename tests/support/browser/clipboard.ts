import type { BrowserContextOptions, Page } from 'playwright-core'

/** For `openConsole({ browser })`: a page that may use the clipboard, as one that a person works with may. */
export const CLIPBOARD = { permissions: ['clipboard-read', 'clipboard-write'] } satisfies BrowserContextOptions

export const copied = (page: Page): Promise<string> => page.evaluate(() => navigator.clipboard.readText())

/** From now on the browser refuses to copy, as at an address without https. */
export async function refuseToCopy(page: Page): Promise<void> {
  await page.evaluate(() => {
    navigator.clipboard.writeText = () => Promise.reject(new DOMException('refused', 'NotAllowedError'))
  })
}
