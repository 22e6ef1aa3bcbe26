import { once } from 'node:events'
import { readdir } from 'node:fs/promises'
import { request as httpRequest } from 'node:http'
import { tmpdir } from 'node:os'
import { expect, test } from 'vitest'
import { uploadFolderName } from '../../../../server/relay/endpoints/leftover-uploads.ts'
import { charges, expectNothingHeld } from '../../../support/books.ts'
import { CHANNEL_KEY, MODEL } from '../../../support/gateway.ts'
import { sendJson } from '../../../support/hand-made-upstream.ts'
import { openTestToolkit } from '../../../support/toolkit.ts'
import { type BatchFixture, halfPrice, inputOf, openBatches, poller, request } from './fixture.ts'

const MB = 1024 * 1024
const spools = async () => (await readdir(tmpdir())).filter((name) => name.startsWith(uploadFolderName()))

/** Sends a form whose file has so many bytes, in chunks or with its length told, until the gateway answers. */
async function sendLarge({ url, key }: BatchFixture, bytes: number, { isLengthTold }: { isLengthTold: boolean }) {
  const head = '--b\r\ncontent-disposition: form-data; name="file"; filename="a.jsonl"\r\n\r\n'
  const sent = httpRequest(`${url}/v1/files`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${key}`,
      'content-type': 'multipart/form-data; boundary=b',
      ...(isLengthTold && { 'content-length': String(bytes + head.length) }),
    },
  })
  sent.on('error', () => {}).setMaxListeners(0)
  const answered = once(sent, 'response')
  let isOver = false
  void answered.then(() => {
    isOver = true
  })
  sent.write(head)
  const chunk = Buffer.alloc(MB, 'x')
  let written = 0
  while (!isOver && written < bytes && !sent.destroyed) {
    written += chunk.length
    if (!sent.write(chunk)) await Promise.race([once(sent, 'drain'), once(sent, 'close'), answered])
  }
  const [response] = await answered
  const parts: Buffer[] = []
  for await (const part of response) parts.push(part)
  sent.destroy()
  return { status: response.statusCode, body: Buffer.concat(parts).toString(), written }
}

test.each([true, false])('a file of 1 GB is rejected while it arrives (with a length: %s)', async (isLengthTold) => {
  const fixture = await openBatches(await openTestToolkit())
  await fixture.toolkit.options.set(fixture.root, 'MaxFileBytes', String(8 * MB))
  const before = process.memoryUsage().rss

  const { status, body, written } = await sendLarge(fixture, 1024 * MB, { isLengthTold })

  expect(status).toBe(413)
  expect(body).toContain('REQUEST_TOO_LARGE'.toLowerCase())
  expect(written).toBeLessThan(100 * MB)
  expect(process.memoryUsage().rss - before).toBeLessThan(150 * MB)
  expect(fixture.upstream.seen).toEqual([])
  await expect.poll(spools).toEqual([])
})

test('a user stores at most the allowed number of files, and can upload again after deleting one', async () => {
  const fixture = await openBatches(await openTestToolkit())
  await fixture.toolkit.options.set(fixture.root, 'FilesMax', '2')
  const upload = () => fixture.upload(inputOf(request('a')))
  const [first] = [await upload(), await upload()]

  await expect(upload()).rejects.toThrow(/409.*files_too_many/)
  expect((await fixture.call('DELETE', `/v1/files/${first}`)).status).toBe(200)
  await upload()
  await expect(upload()).rejects.toThrow('409')
})

test('an invalid line of a batch is named by its number, and nothing is sent or charged', async () => {
  const fixture = await openBatches(await openTestToolkit(), {
    token: { model_limits_enabled: true, model_limits: `${MODEL},second` },
    channel: { models: `${MODEL},second,third` },
  })
  await fixture.toolkit.options.set(fixture.root, 'ModelRatio', JSON.stringify({ [MODEL]: 3, second: 3, third: 3 }))
  const before = await fixture.balance()
  const good = JSON.stringify(request('a'))
  const third = (line: unknown) => `${good}\n\n${typeof line === 'string' ? line : JSON.stringify(line)}\n`
  const cases: [unknown, RegExp][] = [
    ['{"custom_id": "b", "method"', /not a JSON object/],
    ['[1]', /not a JSON object/],
    [request('b', { model: 'third' }), /third/],
    [request('b', { model: 'second' }), /one model/],
    [request('b', { model: undefined }), /model/],
    [request('b', { messages: undefined }), /messages/],
    [request('a'), /used twice/],
    [{ ...request('b'), custom_id: undefined }, /custom_id/],
    [request('b'.repeat(513)), /512 characters/],
    [{ ...request('b'), method: 'GET' }, /method/],
    [{ ...request('b'), url: '/v1/embeddings' }, /url/],
    [{ ...request('b'), body: [] }, /body/],
    [request('b', { stream: true }), /stream/],
    [request('b', { web_search_options: {} }), /tools/],
    [
      request('b', { messages: [{ role: 'user', content: [{ type: 'file', file: { file_id: 'file-foreign' } }] }] }),
      /file-foreign/,
    ],
  ]
  for (const [line, reason] of cases) {
    const { status, body } = await fixture.create(await fixture.upload(third(line)))

    const { message, code } = body.error as { message: string; code: string }
    expect({ line, status, code }).toEqual({ line, status: 400, code: 'batch_line_invalid' })
    expect(message).toMatch(/^Line 3 of the input file is invalid: /)
    expect(message).toMatch(reason)
  }
  expect(fixture.upstream.batches.size).toBe(0)
  expect(await fixture.balance()).toBe(before)
  expect(await charges(fixture)).toEqual([])
  await expectNothingHeld(fixture)
  await expect.poll(spools).toEqual([])
})

test('a file whose first line is too complex is rejected before parsing', async () => {
  const fixture = await openBatches(await openTestToolkit())
  const body = new FormData()
  body.set('purpose', 'batch')
  body.set('file', new File([`{"body":{"model":"${MODEL}","messages":[${'[],'.repeat(20_000)}[]]}}`], 'a.jsonl'))

  expect(await fixture.call('POST', '/v1/files', { body })).toMatchObject({ status: 400 })
  expect(fixture.upstream.files.size).toBe(0)
})

test('an exhausted key uploads no file', async () => {
  const fixture = await openBatches(await openTestToolkit(), { token: { unlimited_quota: false, remain_quota: 0 } })

  await expect(fixture.upload(inputOf(request('a')))).rejects.toThrow(/403|401/)
  expect(fixture.upstream.files.size).toBe(0)
})

test('batch creation requests with missing fields name the field', async () => {
  const fixture = await openBatches(await openTestToolkit())
  const fileId = await fixture.upload(inputOf(request('a')))
  const good = { input_file_id: fileId, endpoint: '/v1/chat/completions', completion_window: '24h' }
  const cases: [object, number, RegExp][] = [
    [{ ...good, input_file_id: undefined }, 400, /input_file_id/],
    [{ ...good, input_file_id: 'file-other' }, 404, /file-other/],
    [{ ...good, endpoint: '/v1/images/generations' }, 400, /endpoint/],
    [{ ...good, completion_window: '1h' }, 400, /completion_window/],
    [{ ...good, metadata: { a: 1 } }, 400, /metadata/],
  ]
  for (const [body, status, reason] of cases) {
    const answer = await fixture.call('POST', '/v1/batches', { body })
    expect({ body, status: answer.status }).toEqual({ body, status })
    expect((answer.body.error as { message: string }).message).toMatch(reason)
  }
  expect(fixture.upstream.batches.size).toBe(0)
})

test('invalid upload forms get the reason', async () => {
  const fixture = await openBatches(await openTestToolkit())
  const form = (fields: Record<string, string | File>) => {
    const body = new FormData()
    for (const [name, value] of Object.entries(fields)) body.set(name, value)
    return body
  }
  const file = new File(['{}'], 'a.jsonl')
  const cases: [unknown, RegExp][] = [
    [{ purpose: 'batch' }, /form/],
    [form({ purpose: 'batch' }), /file/],
    [form({ purpose: 'fine-tune', file }), /purpose/],
    [form({ file }), /purpose/],
    [form({ purpose: 'batch', file: new File([], 'a') }), /empty/],
  ]
  for (const [body, reason] of cases) {
    const answer = await fixture.call('POST', '/v1/files', { body })
    expect(answer.status).toBe(400)
    expect((answer.body.error as { message: string }).message).toMatch(reason)
  }
  expect(await fixture.call('GET', '/v1/files?limit=0')).toMatchObject({ status: 400 })
  expect(fixture.upstream.seen).toEqual([])
})

test('a batch rejected by its upstream costs nothing, with the reason', async () => {
  const fixture = await openBatches(await openTestToolkit())
  const before = await fixture.balance()
  const fileId = await fixture.upload(inputOf(request('a')))
  const error = { message: 'Enqueued token limit reached', type: 'invalid_request_error', param: null, code: 'limit' }
  fixture.upstream.script.push({ path: /^\/v1\/batches$/, answer: (exchange) => sendJson(exchange, { error }, 400) })

  const { status, body } = await fixture.create(fileId)

  expect({ status, body }).toMatchObject({ status: 400, body: { error: { code: 'limit' } } })
  expect((body.error as { message: string }).message).toContain('Enqueued token limit reached')
  expect(await fixture.balance()).toBe(before)
  await expectNothingHeld(fixture)
})

test('an error with status 200 is a failure of an upload, which another channel takes, and of a batch', async () => {
  const fixture = await openBatches(await openTestToolkit())
  const before = await fixture.balance()
  const error = { message: 'Out of order', type: 'server_error' }
  const fails = (path: RegExp) => fixture.upstream.script.push({ path, answer: (it) => sendJson(it, { error }) })
  await fixture.toolkit.options.set(fixture.root, 'RetryTimes', '1')
  await fixture.channel({
    type: fixture.servedBy.type,
    base_url: fixture.upstream.url,
    models: MODEL,
    key: CHANNEL_KEY,
  })
  fails(/^\/v1\/files$/)
  const fileId = await fixture.upload(inputOf(request('a')))
  expect(fixture.upstream.seen.map(({ path }) => path)).toEqual(['/v1/files', '/v1/files'])

  const rejection = { message: 'No such endpoint', type: 'invalid_request_error', code: 'invalid_endpoint' }
  fixture.upstream.script.push({ path: /^\/v1\/batches$/, answer: (it) => sendJson(it, { error: rejection }) })
  expect(await fixture.create(fileId)).toMatchObject({ status: 400, body: { error: { code: 'invalid_endpoint' } } })
  expect(await fixture.balance()).toBe(before)
  await expectNothingHeld(fixture)
})

test('a batch whose channel was deleted after the upload is rejected before any hold', async () => {
  const fixture = await openBatches(await openTestToolkit())
  const fileId = await fixture.upload(inputOf(request('a')))
  await fixture.toolkit.channels.delete(fixture.root, fixture.servedBy.id)
  await fixture.toolkit.events.catchUp()

  expect(await fixture.create(fileId)).toMatchObject({ status: 409, body: { error: { code: 'batch_channel_gone' } } })
  expect(await fixture.call('GET', `/v1/files/${fileId}`)).toMatchObject({ status: 200, body: { id: fileId } })
  expect(await fixture.call('GET', `/v1/files/${fileId}/content`)).toMatchObject({ status: 409 })
  expect(await fixture.call('DELETE', `/v1/files/${fileId}`)).toMatchObject({ status: 200, body: { deleted: true } })
  await expectNothingHeld(fixture)
})

test('a batch with truncated results is read again, and charged once', async () => {
  const fixture = await openBatches(await openTestToolkit())
  const before = await fixture.balance()
  const { body } = await fixture.create(await fixture.upload(inputOf(request('a'), request('b'))))
  fixture.upstream.end(String(body.id), () => ({
    status: 200,
    body: { usage: { prompt_tokens: 2, completion_tokens: 2 } },
  }))
  fixture.upstream.script.push({
    path: /content$/,
    answer: ({ response }) => {
      response.writeHead(200, { 'content-length': '1000' })
      response.write('{"custom_id":"a","response":{"status_code":200,"body":{}}}\n', () => response.destroy())
    },
  })
  const poll = await poller(fixture)

  expect(await poll()).toBe('1 polled, 0 settled')
  expect(await poll()).toBe('1 polled, 1 settled')

  expect(await fixture.balance()).toBe(before - 2 * halfPrice(2, 2))
})

test('ids that an upstream treats as equal are rejected, because one request would be free', async () => {
  const fixture = await openBatches(await openTestToolkit())
  const rows = ['\\ud800', '\\ud801'].map((id) => JSON.stringify(request('ID')).replace('ID', id))

  const { status, body } = await fixture.create(await fixture.upload(rows.join('\n')))

  expect(status).toBe(400)
  expect(body.error).toMatchObject({ code: 'batch_line_invalid', message: expect.stringContaining('surrogate pair') })
  expect(fixture.upstream.batches.size).toBe(0)
  await expectNothingHeld(fixture)
})
