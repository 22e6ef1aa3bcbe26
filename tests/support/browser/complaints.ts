import type { BrowserContext, Response } from 'playwright-core'

export interface Complaints {
  /** Declares the errors that the pages of this test will report. */
  expects(...patterns: RegExp[]): void
  /**
   * Throws if there was any other error, and forgets all errors. Call it after the pages have closed, because their
   * last messages have then arrived.
   */
  verify(): Promise<void>
}

const LOUD = new Set(['error', 'warning', 'assert'])

/**
 * Collects unexpected problems on the pages of a context: console errors and warnings (including content security policy
 * violations), uncaught errors, failed requests, replies from 500 up, and replies from other origins than `origin`. Replies
 * by a test's own `route` count as no origin.
 */
export function collectComplaints(context: BrowserContext, origin: string): Complaints {
  const problems: string[] = []
  const expected: RegExp[] = []
  const pending: Promise<void>[] = []

  async function findForeign(response: Response): Promise<void> {
    const server = await response.serverAddr()
    if (server) problems.push(`from elsewhere: ${response.request().method()} ${response.url()}`)
  }

  context.on('console', (message) => {
    if (!LOUD.has(message.type())) return
    const { url, lineNumber } = message.location()
    problems.push(`console ${message.type()}: ${message.text()} (${url}:${lineNumber})`)
  })
  context.on('weberror', (failure) => {
    const error = failure.error()
    problems.push(`uncaught: ${error.stack || error.message}`)
  })
  context.on('requestfailed', (request) => {
    const reason = request.failure()?.errorText ?? 'failed'
    // Leaving or reloading a page aborts its open requests.
    if (reason !== 'net::ERR_ABORTED') problems.push(`request: ${request.method()} ${request.url()} ${reason}`)
  })
  context.on('response', (response) => {
    const url = new URL(response.url())
    if (response.status() >= 500) problems.push(`answer: ${response.status()} ${response.request().method()} ${url}`)
    if (/^https?:$/.test(url.protocol) && url.origin !== origin) pending.push(findForeign(response))
  })

  return {
    expects(...patterns) {
      expected.push(...patterns)
    },
    async verify() {
      // This may fail for closed pages. A foreign reply without a server address comes from the test.
      await Promise.allSettled(pending.splice(0))
      const forgiven = expected.splice(0)
      const rest = problems.splice(0).filter((complaint) => !forgiven.some((pattern) => pattern.test(complaint)))
      if (rest.length === 0) return
      throw new Error(`The page complained, and the test had not said so by expects(/…/):\n${rest.join('\n')}`)
    },
  }
}
