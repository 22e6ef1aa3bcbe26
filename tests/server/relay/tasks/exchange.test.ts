import { expect, test } from 'vitest'
import { callTaskServer, troubleOf } from '../../../../server/relay/tasks/exchange.ts'
import { createOutboundClients } from '../../../../server/relay/transport/outbound-clients.ts'
import { liveChannel } from '../../../support/ask.ts'
import { type Exchange, startUpstream } from '../../../support/hand-made-upstream.ts'
import { shared, whenDone } from '../../../support/lifetime.ts'
import { openTestToolkit } from '../../../support/toolkit.ts'

const fixture = shared(async () => {
  const { toolkit } = await openTestToolkit()
  const links = createOutboundClients({
    idleTimeoutMs: 5000,
    media: { bytesMax: 0, allowHosts: [] },
    options: toolkit.options,
  })
  whenDone(() => links.close())
  return { links }
})

/** How an exchange with such an upstream fails. */
async function troubleWith(
  url: string,
  { timeoutMs = 2000, bytesMax = 1000, abort = new AbortController().signal } = {},
) {
  const request = { url, headers: {}, body: '{}' }
  try {
    await callTaskServer(fixture().links, liveChannel(5), request, { timeoutMs, bytesMax, abort })
    return undefined
  } catch (error) {
    return troubleOf(error)
  }
}

test('an upstream that is silent, or never ends, times out', async () => {
  const silent = await startUpstream(() => {})
  const endless = await startUpstream(({ response }: Exchange) => {
    const dripping = setInterval(() => response.write(' '), 5)
    response.once('close', () => clearInterval(dripping))
  })
  expect(await troubleWith(silent.url, { timeoutMs: 40 })).toBe('late')
  expect(await troubleWith(endless.url, { timeoutMs: 40 })).toBe('late')
})

test('an unreachable upstream received no request', async () => {
  expect(await troubleWith('http://127.0.0.1:9/x')).toBe('unsent')
})

test('an upstream that closes the connection, or sends too much, broke off', async () => {
  const hanging = await startUpstream(({ response }) => void response.destroy())
  const large = await startUpstream(({ response }) => void response.end(Buffer.alloc(2000)))
  expect(await troubleWith(hanging.url)).toBe('broken')
  expect(await troubleWith(large.url)).toBe('broken')
})

test('an abort ends it immediately', async () => {
  const silent = await startUpstream(() => {})
  const ending = new AbortController()
  const trouble = troubleWith(silent.url, { abort: ending.signal })
  await expect.poll(() => silent.seen.length).toBe(1)
  ending.abort()
  expect(await trouble).toBe('broken')
  expect(await troubleWith(silent.url, { abort: ending.signal })).toBe('unsent')
})
