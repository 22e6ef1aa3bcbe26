import { EventEmitter } from 'node:events'
import { PassThrough } from 'node:stream'
import { render } from 'ink'
import { createElement } from 'react'
import { vi } from 'vitest'
import type { Cli } from '../../../cli/cli.ts'
import { ENGLISH } from '../../../cli/texts.ts'
import type { CommandToolkit } from '../../../cli/toolkit.ts'
import { TerminalApp } from '../../../cli/ui/app.tsx'
import { AppLifecycleContext, createLeaving } from '../../../cli/ui/app-lifecycle.ts'
import type { Press } from '../../../cli/ui/key-reader.ts'
import { whenDone } from '../../support/lifetime.ts'

/** Opens the screens over a server that counts its calls. Needs fake timers. */
export async function openScreens(answer: (call: string) => unknown) {
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
  const screens = createElement(AppLifecycleContext.Provider, { value: outside }, createElement(TerminalApp, props))
  const picture = render(screens, {
    stdout: canvas as unknown as NodeJS.WriteStream,
    stdin: new PassThrough() as unknown as NodeJS.ReadStream,
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
/** The replies of a server without channels, users and log rows. */
export const answers = (call: string) => ROWS[call] ?? { items: [], total: 0, page: 1, page_size: 100 }
