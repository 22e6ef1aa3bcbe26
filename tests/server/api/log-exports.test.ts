import type { ServerResponse } from 'node:http'
import { PassThrough } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { setImmediate as breathe } from 'node:timers/promises'
import { expect, onTestFinished, test, vi } from 'vitest'
import { createLogExports } from '../../../server/api/log-exports.ts'

async function* endless() {
  for (;;) yield 'row\n'.repeat(10_000)
}

test('an unread export is aborted, and its user may start another', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  const exported = createLogExports()
  const begin = () => {
    const response = new PassThrough()
    return pipeline(exported({ id: 1, role: 1 }, response as unknown as ServerResponse, endless()), response)
  }
  for (const _ of ['the first', 'another']) {
    const outcome = begin().catch((error: Error) => error.message)
    expect(begin).toThrow('RATE_LIMITED')
    for (let at = 0; at < 10; at += 1) await breathe()
    vi.advanceTimersByTime(10 * 60_000)
    expect(await outcome).toBe('the export is not read')
  }
})
