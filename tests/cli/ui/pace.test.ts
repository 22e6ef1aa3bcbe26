import { EventEmitter } from 'node:events'
import { render } from 'ink'
import { createElement } from 'react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { Cli } from '../../../cli/cli.ts'
import { CommandError } from '../../../cli/errors.ts'
import { ENGLISH } from '../../../cli/texts.ts'
import type { CommandToolkit } from '../../../cli/toolkit.ts'
import { App } from '../../../cli/ui/app.tsx'
import { AppLifecycleContext, createLeaving } from '../../../cli/ui/app-lifecycle.ts'
import type { Press } from '../../../cli/ui/key-reader.ts'
import { GatewayError } from '../../../core/errors.ts'
import { whenDone } from '../../support/lifetime.ts'

const MINUTE_MS = 60_000
/** What a server allows an address in three minutes is 180. */
const CALLS_MAX = 40 / 3

beforeEach(
  () => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'Date'] }),
)
afterEach(() => void vi.useRealTimers())

/** The screens, over a server that only counts what it is asked. */
async function openScreens(answer: (call: string) => unknown) {
  const counted: string[] = []
  const part = (noun: string) =>
    new Proxy(
      {},
      {
        get: (_, verb: string) => async () => {
          counted.push(`${noun}.${verb}`)
          return answer(`${noun}.${verb}`)
        },
      },
    )
  const toolkit = new Proxy({}, { get: (_, noun: string) => part(noun) }) as CommandToolkit
  const opened = {
    toolkit,
    actor: { id: 1, role: 100 },
    display: { quotaPerUnit: 500_000, inCurrency: true },
    remote: true,
    name: 'server',
  }
  let take: (presses: readonly Press[]) => void = () => {}
  let drawn = ''
  const canvas = Object.assign(new EventEmitter(), {
    columns: 80,
    rows: 24,
    write: (picture: string) => {
      drawn = picture
      return true
    },
  })
  const again = vi.fn(async () => opened)
  const props = {
    cli: ENGLISH as Cli,
    opened,
    reopen: again,
    color: false,
    exit: () => {},
    keys: (to: typeof take) => {
      take = to
      return () => {}
    },
  }
  const { signal, finish } = createLeaving()
  const outside = { leaving: signal, finish, edit: async (text: string) => text, copy: () => {} }
  const screens = createElement(AppLifecycleContext.Provider, { value: outside }, createElement(App, props))
  const picture = render(screens, {
    stdout: canvas as unknown as NodeJS.WriteStream,
    debug: true,
    patchConsole: false,
  })
  whenDone(() => picture.unmount())
  const pass = async (ms: number) => {
    for (let at = 0; at < ms; at += 1000) {
      await vi.advanceTimersByTimeAsync(1000)
      for (let turn = 0; turn < 5; turn += 1) await new Promise(setImmediate)
    }
  }
  await pass(1000)
  return {
    pass,
    reopen: again,
    picture: () => drawn,
    press: async (name: string) => {
      take([{ name, text: name.length === 1 ? name : '' }])
      await pass(1000)
    },
    /** How many calls were made since it was asked last. */
    calls: () => counted.splice(0).length,
  }
}

const ROWS = {
  'logs.stat': { rpm: 1, tpm: 2, quota: 3 },
  'accounts.get': { quota: 4 },
  'channels.health': { disabled: [], circuits: [] },
} as Record<string, unknown>
const answers = (call: string) => ROWS[call] ?? { items: [], total: 0, page: 1, page_size: 100 }

test.each(['1', '2', '6'])("screen %s uses less than a quarter of the server's request limit", async (digit) => {
  const screens = await openScreens(answers)
  await screens.press(digit)
  screens.calls()
  await screens.pass(MINUTE_MS)
  const calls = screens.calls()
  expect(calls).toBeGreaterThan(1)
  expect(calls).toBeLessThanOrEqual(CALLS_MAX)
})

test('a list behind a form is not refreshed', async () => {
  const screens = await openScreens(answers)
  await screens.press('2')
  await screens.press('a')
  expect(screens.picture()).toContain('New channel')
  screens.calls()
  await screens.pass(MINUTE_MS)
  expect(screens.calls()).toBe(0)
})

test('a Retry-After of the server is respected', async () => {
  const screens = await openScreens((call) => {
    if (call === 'logs.list') throw new GatewayError('RATE_LIMITED', { retryAfterSeconds: 50 })
    return answers(call)
  })
  await screens.press('6')
  screens.calls()
  await screens.pass(MINUTE_MS)
  expect(screens.calls()).toBe(1)
})

test('a rate limit without a time is retried once a minute', async () => {
  const screens = await openScreens(() => {
    throw new CommandError('SERVER_BUSY', 'busy')
  })
  await screens.press('6')
  screens.calls()
  await screens.pass(MINUTE_MS)
  expect(screens.calls()).toBeLessThanOrEqual(1)
})

test('an invalid token is reported once; r reloads the signed-in user', async () => {
  const screens = await openScreens(() => {
    throw new CommandError('NOT_SIGNED_IN', 'sign in again')
  })
  await screens.press('3')
  expect(screens.picture()).toContain('sign in again (press r to retry)')
  expect(screens.picture()).not.toContain('retrying:')
  screens.calls()
  await screens.pass(MINUTE_MS)
  expect(screens.calls()).toBe(0)
  expect(screens.reopen).not.toHaveBeenCalled()
  await screens.press('r')
  expect(screens.reopen).toHaveBeenCalledOnce()
})
