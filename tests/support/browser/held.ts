import type { Page, Route } from 'playwright-core'

/** The requests of a page so far, and functions that release the delayed ones. */
export interface Held {
  /** Request bodies, in order. */
  sent: unknown[]
  /** Sends the oldest request; resolves after the server has replied. */
  letOne: () => Promise<void>
  /** Sends all delayed requests, and stops delaying. */
  letAll: () => Promise<void>
}

/** Delays requests of this method to an address. */
export async function holdBack(page: Page, method: string, address: string | RegExp): Promise<Held> {
  const sent: unknown[] = []
  const waiting: Route[] = []
  let open = false
  const pass = async (route: Route) => route.fulfill({ response: await route.fetch() })
  await page.route(address, (route) => {
    if (route.request().method() !== method) return route.fallback()
    sent.push(route.request().postDataJSON())
    if (open) return pass(route)
    waiting.push(route)
  })
  return {
    sent,
    async letOne() {
      const route = waiting.shift()
      if (!route) throw new Error('Nothing is kept back')
      await pass(route)
    },
    async letAll() {
      open = true
      for (const route of waiting.splice(0)) await pass(route)
    },
  }
}
