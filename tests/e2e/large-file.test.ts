import { readFile } from 'node:fs/promises'
import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { json } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import { expectNothingHeld } from '../support/books.ts'
import { CHANNEL_KEY, customer, MODEL } from '../support/gateway.ts'
import { whenDone } from '../support/lifetime.ts'
import { startServer } from '../support/server-process.ts'
import { openTestToolkit } from '../support/toolkit.ts'

const MB = 1024 * 1024
const BOUNDARY = 'boundary-0123456789'
const PIECE = Buffer.alloc(MB, 'x')

/** The memory that a process has used at most so far. */
async function peakOf(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8')
  return Number(/VmHWM:\s+(\d+) kB/.exec(status)?.[1]) * 1024
}

/** Sends a form with a file of this size, as fast as it is read. Returns the reply. */
async function upload(url: string, key: string, { megabytes, isChunked }: { megabytes: number; isChunked: boolean }) {
  const part = (name: string) => `--${BOUNDARY}\r\ncontent-disposition: form-data; name="${name}"`
  const head = `${part('purpose')}\r\n\r\nuser_data\r\n${part('file')}; filename="a.bin"\r\n\r\n`
  const tail = `\r\n--${BOUNDARY}--\r\n`
  const bytes = head.length + megabytes * MB + tail.length
  const sent = request(`${url}/v1/files`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${key}`,
      'content-type': `multipart/form-data; boundary=${BOUNDARY}`,
      ...(!isChunked && { 'content-length': bytes }),
    },
  })
  const replied = new Promise<{ status: number; body: Record<string, unknown> }>((resolve, reject) => {
    sent.once('error', reject)
    sent.once('response', (response) => {
      json(response).then((body) => resolve({ status: response.statusCode ?? 0, body: body as never }), reject)
    })
  })
  let isOver = false
  void replied
    .catch(() => {})
    .then(() => {
      isOver = true
      sent.emit('drain')
    })
  sent.write(head)
  for (let written = 0; written < megabytes && !isOver; written++)
    if (!sent.write(PIECE)) await new Promise((resolve) => sent.once('drain', resolve))
  if (!isOver) sent.end(tail)
  return replied.finally(() => sent.destroy())
}

/** An upstream that counts the bytes of files and keeps none. */
async function startFiles() {
  const sizes: number[] = []
  const server = createServer(async (incoming, response) => {
    let bytes = 0
    for await (const piece of incoming) bytes += (piece as Buffer).length
    sizes.push(bytes)
    response.setHeader('content-type', 'application/json')
    response.end(JSON.stringify({ id: `file-${sizes.length}`, object: 'file', bytes, purpose: 'user_data' }))
  }).listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  whenDone(() => void server.close())
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, sizes }
}

test('a file of a gigabyte is rejected, and the largest allowed one is passed on, in constant memory', async () => {
  const fixture = await openTestToolkit()
  const { toolkit, root } = fixture
  const upstream = await startFiles()
  await toolkit.options.set(root, 'MaxFileBytes', String(256 * MB))
  await fixture.channel({ base_url: upstream.url, models: MODEL, key: CHANNEL_KEY })
  const { key } = await customer(fixture)
  const { url, pid } = await startServer(fixture)
  await upload(url, key, { megabytes: 1, isChunked: false })
  const before = await peakOf(pid)

  for (const isChunked of [false, true]) {
    const { status, body } = await upload(url, key, { megabytes: 1024, isChunked })
    expect({ status, body }).toMatchObject({ status: 413, body: { error: { code: 'request_too_large' } } })
  }
  expect(upstream.sizes).toHaveLength(1)
  const passed = await upload(url, key, { megabytes: 255, isChunked: true })
  expect(passed).toMatchObject({ status: 200, body: { object: 'file' } })
  expect(upstream.sizes[1]).toBeGreaterThan(255 * MB)

  const grown = (await peakOf(pid)) - before
  expect(grown).toBeLessThan(100 * MB)
  await expectNothingHeld(fixture)
})
