import { EventEmitter } from 'node:events'
import { expect, test } from 'vitest'
import { Downloads } from '../../../server/relay/attempt/downloads.ts'
import { createProviderContexts, type SharedContext } from '../../../server/relay/attempt/provider-context.ts'
import { liveChannel } from '../../support/ask.ts'

const channel = liveChannel(1)
const interruption = { signal: new EventEmitter(), cause: undefined }
const urls = (count: number) => Array.from({ length: count }, (_, at) => `https://a.example/${at}`)

/** Means of which each download is so large; at most `budget` bytes for one request. */
function providerContextFor({ bytes = 10, budget = 1000, fails = 0 } = {}) {
  const seen = { requestCount: 0, running: 0, most: 0 }
  const media: SharedContext['media'] = async () => {
    seen.requestCount += 1
    const number = seen.requestCount
    seen.running += 1
    seen.most = Math.max(seen.most, seen.running)
    await new Promise((resolve) => setImmediate(resolve))
    seen.running -= 1
    if (number <= fails) throw new Error('no')
    return { data: Buffer.alloc(bytes), mime: 'image/png' }
  }
  const make = createProviderContexts({ media, mediaBytesMax: budget } as SharedContext)
  return { seen, attempt: (downloads?: Downloads) => make(channel, interruption, downloads) }
}

test('few files of a request are downloaded concurrently', async () => {
  const { seen, attempt } = providerContextFor()
  const context = attempt()
  await Promise.all(urls(20).map((url) => context.download(url)))
  expect(seen).toMatchObject({ requestCount: 20, most: 4 })
})

test('a later attempt reuses earlier downloads, and retries failed ones', async () => {
  const { seen, attempt } = providerContextFor({ fails: 1, budget: 60 })
  const downloads = new Downloads()
  const first = attempt(downloads)
  await Promise.allSettled(urls(6).map((url) => first.download(url)))
  const second = attempt(downloads)
  await Promise.all(urls(6).map((url) => second.download(url)))
  expect(seen.requestCount).toBe(7)
})

test('files that are too large together are rejected, and the rest is not downloaded', async () => {
  const { seen, attempt } = providerContextFor({ bytes: 30, budget: 100 })
  const context = attempt()
  await expect(Promise.all(urls(60).map((url) => context.download(url)))).rejects.toMatchObject({
    code: 'MEDIA_REFUSED',
  })
  await expect.poll(() => seen.running).toBe(0)
  expect(seen.requestCount).toBeLessThan(10)
})

test('a repeated file counts each time', async () => {
  const context = providerContextFor({ bytes: 30, budget: 100 }).attempt()
  await context.download('https://a.example/', 3)
  await expect(context.download('https://a.example/')).rejects.toMatchObject({ code: 'MEDIA_REFUSED' })
})
