import type { BrowserContext, Response } from 'playwright-core'

export interface Complaints {
  /** Says beforehand what the pages of this test will complain about. */
  expects(...patterns: RegExp[]): void
  /**
   * Throws when there was any other complaint, and forgets all. For the end of a test, when its pages are closed: what they
   * said last has come by then.
   */
  verify(): Promise<void>
}

const LOUD = new Set(['error', 'warning', 'assert'])

/**
 * All that goes wrong on the pages of a context without a test looking for it: errors and warnings on the browser's console
 * (violations of the content security policy are among them), uncaught errors, requests that fail or are answered by 500 and
 * above, and whatever comes from elsewhere than `origin`. What a test answers itself, by `route`, comes from nowhere.
 */
export function collectComplaints(context: BrowserContext, origin: string): Complaints {
  const found: string[] = []
  const expected: RegExp[] = []
  const asked: Promise<void>[] = []

  async function findForeign(response: Response): Promise<void> {
    const server = await response.serverAddr()
    if (server) found.push(`from elsewhere: ${response.request().method()} ${response.url()}`)
  }

  context.on('console', (message) => {
    if (!LOUD.has(message.type())) return
    const { url, lineNumber } = message.location()
    found.push(`console ${message.type()}: ${message.text()} (${url}:${lineNumber})`)
  })
  context.on('weberror', (failure) => {
    const error = failure.error()
    found.push(`uncaught: ${error.stack || error.message}`)
  })
  context.on('requestfailed', (request) => {
    const reason = request.failure()?.errorText ?? 'failed'
    // A page that is left, or asks anew, gives up what it has not got yet.
    if (reason !== 'net::ERR_ABORTED') found.push(`request: ${request.method()} ${request.url()} ${reason}`)
  })
  context.on('response', (response) => {
    const url = new URL(response.url())
    if (response.status() >= 500) found.push(`answer: ${response.status()} ${response.request().method()} ${url}`)
    if (/^https?:$/.test(url.protocol) && url.origin !== origin) asked.push(findForeign(response))
  })

  return {
    expects(...patterns) {
      expected.push(...patterns)
    },
    async verify() {
      // Of a page that is closed it may be too late to ask; a foreign answer without an address is one by a test.
      await Promise.allSettled(asked.splice(0))
      const forgiven = expected.splice(0)
      const rest = found.splice(0).filter((complaint) => !forgiven.some((pattern) => pattern.test(complaint)))
      if (rest.length === 0) return
      throw new Error(`The page complained, and the test had not said so by expects(/…/):\n${rest.join('\n')}`)
    },
  }
}
