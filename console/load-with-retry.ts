/** Delays between attempts, for short network failures and gateway restarts. */
const DELAYS_MS = [300, 1_500]
/** Minimum time between reloads. Prevents endless reloads if gateways of different versions share one address. */
const RELOAD_PAUSE_MS = 30_000
/** Vite's error for a style sheet that fails to load. Vite does not request it again, so `addStyles` does. */
const STYLES_FAILED = /Unable to preload CSS for (\S+)/

/** Paths of style sheets that failed to load. */
const missingStyles = new Set<string>()

/**
 * Runs a dynamic import and retries it if files fail to load. After the last retry, throws the error. If the gateway
 * was upgraded meanwhile, throws without more retries, because the new build does not have these files.
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

/** Returns whether the gateway now serves another build of the console than this page runs; false without a reply. */
export async function isReplaced(): Promise<boolean> {
  const entry = entryOf(document)
  if (!entry) return false
  const currentEntry = await servedEntry()
  return Boolean(currentEntry) && currentEntry !== entry
}

/** Returns whether the gateway serves the console. If it does not, a reload would show an error page. */
export async function isReachable(): Promise<boolean> {
  return Boolean(await servedEntry())
}

/** Reloads the console at this URL. Returns false without a reload if the last one was under 30 seconds ago. */
export function reloadTo(address: string): boolean {
  const now = Date.now()
  try {
    if (now - Number(sessionStorage.getItem('reloaded')) < RELOAD_PAUSE_MS) return false
    sessionStorage.setItem('reloaded', String(now))
  } catch (error) {
    console.warn('Cannot store "reloaded"', error) // storage is full or disabled
  }
  window.location.assign(address)
  return true
}

/** Returns the path of the entry script that the gateway now serves; null without a reply and for an error page. */
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
  // Browsers may cache the failure of the original URL, so request another URL.
  link.href = `${path}?again`
  await new Promise<void>((resolve, reject) => {
    link.addEventListener('load', () => resolve())
    link.addEventListener('error', () => reject(new Error(`Unable to preload CSS for ${path}`)))
    document.head.append(link)
  })
  missingStyles.delete(path)
}
