import type { Page, Route } from 'playwright-core'

/** What the page has sent so far, and the way on for what is kept back. */
export interface Held {
  /** Bodies, in their order. */
  sent: unknown[]
  /** Lets the oldest go; the server has answered it by then. */
  letOne: () => Promise<void>
  /** Lets all go, and whatever comes later. */
  letAll: () => Promise<void>
}

/** Keeps the requests of this method back on their way to an address. */
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
