import { readMoment, writeMoment } from './storage.ts'

/** Delays between attempts, for short network failures and gateway restarts. */
const DELAYS_MS = [300, 1_500]
/** Minimum time between reloads: with gateways of different versions behind one address, a page must not reload endlessly. */
const RELOAD_PAUSE_MS = 30_000
/** Vite's error for a style sheet that a module needs. Vite requests each style sheet only once. */
const STYLES_FAILED = /Unable to preload CSS for (\S+)/

/** Required style sheets that failed to load. */
const missingStyles = new Set<string>()

/**
 * Runs a dynamic import, with retries if its files fail to load. Throws the last error; immediately if the gateway was
 * upgraded meanwhile, since the new build lacks these files.
 */
export async function loadWithRetry<T>(load: () => Promise<T>): Promise<T> {
  for (let attempt = 0; ; attempt++) {
    try {
      await Promise.all(Array.from(missingStyles, addStyles))
      return await load()
    } catch (error) {
      const styles = error instanceof Error && STYLES_FAILED.exec(error.message)?.[1]
      if (styles) missingStyles.add(styles)
      const delay = DELAYS_MS[attempt]
      if (delay === undefined || (await isReplaced())) throw error
      await new Promise((resolve) => setTimeout(resolve, delay))
    }
  }
}

/** Whether the gateway serves another build of the console than this page. False without a reply. */
export async function isReplaced(): Promise<boolean> {
  const entry = entryOf(document)
  if (!entry) return false
  const current = await servedEntry()
  return Boolean(current) && current !== entry
}

/** Whether the gateway serves the console, so that a reload does not end at an error page. */
export async function isReachable(): Promise<boolean> {
  return Boolean(await servedEntry())
}

/** Opens a console URL with the gateway's current files. Returns false if a reload was tried just before. */
export function reloadTo(address: string): boolean {
  const now = Date.now()
  if (now - readMoment('reloaded') < RELOAD_PAUSE_MS) return false
  writeMoment('reloaded', now)
  window.location.assign(address)
  return true
}

/** Returns the entry script of the build that the gateway serves. Null without a reply; a proxy's error page has none. */
async function servedEntry(): Promise<string | null> {
  try {
    const response = await fetch('/', { headers: { accept: 'text/html' }, cache: 'no-store' })
    return response.ok ? entryOf(new DOMParser().parseFromString(await response.text(), 'text/html')) : null
  } catch {
    return null
  }
}

const entryOf = (page: Document): string | null =>
  page.querySelector('script[type="module"][src^="/assets/"]')?.getAttribute('src') ?? null

async function addStyles(path: string): Promise<void> {
  const link = document.createElement('link')
  link.rel = 'stylesheet'
  // Browsers may cache the failure for the original URL.
  link.href = `${path}?again`
  await new Promise<void>((resolve, reject) => {
    link.addEventListener('load', () => resolve())
    link.addEventListener('error', () => reject(new Error(`Unable to preload CSS for ${path}`)))
    document.head.append(link)
  })
  missingStyles.delete(path)
}
