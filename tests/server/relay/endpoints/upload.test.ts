import { once } from 'node:events'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { BodyBudget } from '../../../../server/bodies/budget.ts'
import { bodyOfUpload, receiveUpload } from '../../../../server/relay/endpoints/upload.ts'
import { UNWATCHED } from '../../../support/upload.ts'

const BOUNDARY = '----form'
const HEADERS = { 'content-type': `multipart/form-data; boundary=${BOUNDARY}` }
let folder = ''

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'upload-test-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

const field = (name: string, value: string) => part(`form-data; name="${name}"`, value)
const file = (name: string, filename: string, content: string | Buffer, type = 'audio/wav') =>
  part(`form-data; name="${name}"; filename="${filename}"`, content, `content-type: ${type}\r\n`)

function part(disposition: string, content: string | Buffer, more = ''): Buffer {
  const head = `--${BOUNDARY}\r\ncontent-disposition: ${disposition}\r\n${more}\r\n`
  return Buffer.concat([Buffer.from(head), Buffer.from(content as string), Buffer.from('\r\n')])
}
const OCTETS = 'content-type: application/octet-stream\r\n'
const form = (...parts: Buffer[]) => Buffer.concat([...parts, Buffer.from(`--${BOUNDARY}--\r\n`)])

function inPieces(bytes: Buffer, size: number): Readable {
  const pieces: Buffer[] = []
  for (let at = 0; at < bytes.length; at += size) pieces.push(bytes.subarray(at, at + size))
  return Readable.from(pieces, { objectMode: false })
}

const receive = (bytes: Buffer, { headers = HEADERS, bytesMax = 1_000_000, size = 7 } = {}) =>
  receiveUpload(inPieces(bytes, size), { headers, bytesMax, folder, ...UNWATCHED })
const malformed = (reason: RegExp) =>
  expect.objectContaining({ code: 'REQUEST_MALFORMED', params: { reason: expect.stringMatching(reason) } })

describe('a multipart body', () => {
  test('is stored on disk, with files that can be read repeatedly', async () => {
    const content = Buffer.from([0, 13, 10, 45, 45, 255, 128])
    const upload = await receive(form(field('model', 'whisper-1'), file('file', 'speech.wav', content)), { size: 1 })
    expect(upload.fields).toEqual([{ name: 'model', value: 'whisper-1' }])
    expect(upload.files).toMatchObject([{ field: 'file', filename: 'speech.wav', mime: 'audio/wav', bytes: 7 }])
    for (const _ of [1, 2]) expect(await buffer(upload.files[0]?.open() ?? Readable.from([]))).toEqual(content)
    await upload.discard()
  })

  test('takes as much memory as its texts have bytes', async () => {
    const limits = { inAll: 1000, ofAddress: 1000, ofUser: 1000 }
    const share = () => new BodyBudget(limits).open({ address: '192.0.2.1', userId: 1 })
    const receiveText = (text: string) =>
      receiveUpload(inPieces(form(field('prompt', text)), 7), {
        ...{ headers: HEADERS, bytesMax: 1_000_000, folder },
        ...{ ...UNWATCHED, share: share() },
      })
    await expect(receiveText('\u6c49'.repeat(400))).rejects.toMatchObject({ code: 'BODIES_LIMITED' })
    await (await receiveText('x'.repeat(400))).discard()
  })

  test('leaves no file if it is discarded, even twice', async () => {
    const upload = await receive(form(file('a', 'a', 'x'), file('b', 'b', 'y')))
    expect(await readdir(folder)).toHaveLength(1)
    await upload.discard()
    await upload.discard()
    expect(await readdir(folder)).toEqual([])
  })

  test('has its text fields as the body, all of a repeated name', async () => {
    const upload = await receive(
      form(field('a', '1'), field('g[]', 'word'), field('g[]', 'é'), field('__proto__', 'x')),
    )
    const body = bodyOfUpload(upload)
    expect(Object.entries(body)).toEqual([
      ['a', '1'],
      ['g[]', ['word', 'é']],
      ['__proto__', 'x'],
    ])
    await upload.discard()
  })

  test('cannot choose a path on disk', async () => {
    const names = ['../../../etc/passwd', '/etc/passwd', '..', 'a\\..\\b', 'a b', '名字.mp3']
    const upload = await receive(form(...names.map((name) => file('file', name, 'x'))))
    const [place = ''] = await readdir(folder)
    expect((await readdir(join(folder, place))).sort()).toEqual(['0', '1', '2', '3', '4', '5'])
    expect(upload.files.at(-1)?.filename).toBe('名字.mp3')
    await upload.discard()
  })
})

describe('a multipart body is rejected, and nothing of it is kept,', () => {
  test('if it becomes too large', async () => {
    const bytes = form(file('file', 'a', Buffer.alloc(3000)))
    await expect(receive(bytes, { bytesMax: 2000, size: 512 })).rejects.toMatchObject({
      code: 'REQUEST_TOO_LARGE',
      params: { max: 2000 },
    })
  })

  test('if it declares a too large size', async () => {
    const headers = { ...HEADERS, 'content-length': '2001' }
    await expect(receive(form(), { headers, bytesMax: 2000 })).rejects.toMatchObject({ code: 'REQUEST_TOO_LARGE' })
  })

  test.each<[string, Buffer, RegExp]>([
    [
      'when it ends within a file',
      form(file('file', 'a', 'abc')).subarray(0, -20),
      /not valid multipart.*Unexpected end/,
    ],
    ['when it is empty', Buffer.alloc(0), /Unexpected end/],
    ['when it is no form', Buffer.from('{"model":"whisper-1"}'), /Unexpected end/],
    [
      'when it has too many files',
      form(...Array.from({ length: 21 }, () => file('f', 'f', 'x'))),
      /more than 20 files/,
    ],
    [
      'when it has too many fields',
      form(...Array.from({ length: 201 }, () => field('f', 'x'))),
      /more than 200 fields/,
    ],
    ['when a field is too long', form(field('prompt', 'x'.repeat(1024 * 1024 + 1))), /^field prompt is longer/],
    ['when a field has no name', form(part('form-data', 'x')), /needs a name/],
    ['when a field is named in another charset', form(part("form-data; name*=UTF-8''n", 'x')), /needs a name/],
    ['when a file has no name', form(part('form-data; filename="a"', 'x')), /needs a name/],
    ['when a file has an empty name', form(part('form-data; name=""; filename="a"', 'x')), /needs a name/],
    [
      'when it ends within a file that came after the fault',
      Buffer.concat([part('form-data', 'x'), file('file', 'a', 'abc')]),
      /needs a name/,
    ],
    ['when a text comes as a file', form(file('n', 'x', '10')), /^n must be one text field/],
    ['when a text comes as bytes', form(part('form-data; name="n"', '10', OCTETS)), /^n must be one text field/],
    ['when a model comes as a file', form(file('model', 'x', 'other')), /^model must be one text field/],
    ...['n[]', 'model[]', 'size[0]', 'quality[]', ' n', 'N'].map((name): [string, Buffer, RegExp] => [
      `when a text is called ${name}`,
      form(field(name, '10')),
      /must be one text field/,
    ]),
    ['when a name is too long', form(field('n'.repeat(300), 'x')), /^field n+ is longer/],
  ])('%s', async (_, bytes, reason) => {
    await expect(receive(bytes, { bytesMax: 4_000_000, size: 65_536 })).rejects.toThrow(malformed(reason))
    expect(await readdir(folder)).toEqual([])
  })

  test.each([
    [{ 'content-type': 'multipart/form-data' }, /Boundary not found/],
    [{ 'content-type': 'text/plain' }, /Unsupported content type/],
  ])('with headers like %j', async (headers, reason) => {
    await expect(receive(form(), { headers })).rejects.toThrow(malformed(reason))
    expect(await readdir(folder)).toEqual([])
  })

  test('if its client disconnects', async () => {
    const body = new Readable({ read() {} })
    body.push(file('file', 'a', 'abc'))
    const received = receiveUpload(body, { headers: HEADERS, bytesMax: 1000, folder, ...UNWATCHED })
    setImmediate(() => body.destroy(new Error('aborted')))
    await expect(received).rejects.toThrow(malformed(/not valid multipart/))
    expect(await readdir(folder)).toEqual([])
  })

  test('while its connection still gets the reply', async () => {
    const body = inPieces(form(file('file', 'a', Buffer.alloc(100_000))), 1000)
    const drained = once(body, 'end')
    await expect(receiveUpload(body, { headers: HEADERS, bytesMax: 2000, folder, ...UNWATCHED })).rejects.toThrow()
    await drained
    expect(body.errored).toBeNull()
  })
})

test('a failed disk write is not an error of the form', async () => {
  const nowhere = join(folder, 'not-there')
  const received = receiveUpload(inPieces(form(), 7), {
    headers: HEADERS,
    bytesMax: 1000,
    folder: nowhere,
    ...UNWATCHED,
  })
  await expect(received).rejects.toMatchObject({ code: 'ENOENT' })
})
