import type { BrowserContext, Page } from 'playwright-core'
import { beforeEach, describe, expect, test } from 'vitest'
import { expectAccessible } from '../../support/browser/accessible.ts'
import { collectComplaints } from '../../support/browser/complaints.ts'
import { openConsole, skipWithoutBrowser } from '../../support/browser.ts'
import { reused } from '../../support/reused.ts'

const gateway = reused()
beforeEach(skipWithoutBrowser)

/** A page whose own complaints are all expected, so that those of a second collector can be looked at. */
async function watched(): Promise<{ page: Page; context: BrowserContext; complaint: () => Promise<string> }> {
  const world = await gateway()
  const { page, context, expects } = await openConsole(world, { at: '/login' })
  expects(/./)
  const complaints = collectComplaints(context, new URL(world.url).origin)
  const complaint = () =>
    complaints.verify().then(
      () => '',
      (error: Error) => error.message,
    )
  return { page, context, complaint }
}

describe('a page reports', () => {
  test.each([
    ['a warning', `console.warn('mind the gap')`, 'console warning: mind the gap'],
    ['an error', `console.error('it broke')`, 'console error: it broke'],
    ['an uncaught error', `setTimeout(() => { throw new Error('was not caught') })`, 'uncaught: Error: was not caught'],
    ['a promise that is not awaited', `void Promise.reject(new Error('left alone'))`, 'uncaught: Error: left alone'],
    ['a refused call', `void fetch('/v1/nothing')`, 'status of 404'],
    [
      'a request to elsewhere',
      `new Audio('https://example.com/a.mp3').load()`,
      'https://example.com/a.mp3 net::ERR_NAME_',
    ],
    ['what the policy forbids', `void fetch('https://example.com').catch(() => {})`, 'Content Security Policy'],
  ])('%s', async (_, script, said) => {
    const { page, complaint } = await watched()

    await page.evaluate(script)

    await expect.poll(complaint).toContain(said)
  })

  test('a reply of 500, but not one of another origin', async () => {
    const { page, complaint } = await watched()
    const elsewhere = new URL('/logo.png', page.url())
    elsewhere.hostname = 'localhost'
    await page.route('**/broken', (route) => route.fulfill({ status: 500 }))

    await page.evaluate(() => fetch('/broken'))
    await page.goto(elsewhere.href)

    const message = await complaint()
    expect(message).toMatch(/answer: 500 GET .*\/broken/)
    expect(message).toContain(`from elsewhere: GET ${elsewhere.href}`)
  })
})

test('no error for mocked or expected replies', async () => {
  const world = await gateway()
  const { page, context, expects } = await openConsole(world)
  expects(/said beforehand/)
  await context.route('https://example.com/**', (route) => route.fulfill({ body: 'routed' }))

  await page.goto('https://example.com/page')
  await page.evaluate(() => console.error('said beforehand'))

  expect(await page.locator('body').innerText()).toBe('routed')
})

test('a picture without alternative text as inaccessible, in any theme', async () => {
  const { page } = await openConsole(await gateway(), { at: '/login' })
  await page.evaluate(() => document.body.append(new Image()))

  await expect(expectAccessible(page, { themes: ['dark'] })).rejects.toThrow(/dark: image-alt/)
})
