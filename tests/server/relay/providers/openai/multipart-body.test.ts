import { tmpdir } from 'node:os'
import { buffer, text } from 'node:stream/consumers'
import { describe, expect, test } from 'vitest'
import { receiveUpload } from '../../../../../server/relay/endpoints/upload.ts'
import { multipartBody } from '../../../../../server/relay/providers/openai/multipart-body.ts'
import { UNWATCHED, uploadOf } from '../../../../support/upload.ts'

const MODEL = { model: 'whisper-large-v3' }

describe('a form for the upstream', () => {
  test('is the client’s, except for the model name', async () => {
    const fields = { model: 'whisper-1', language: 'fr', 'timestamp_granularities[]': 'word', unknown: 'kept' }
    const upload = uploadOf({ file: 'RIFF' }, fields, { filename: 'été.wav', mime: 'audio/wav' })
    const { headers, body } = multipartBody(upload, MODEL)
    const boundary = headers['content-type'].split('boundary=')[1]
    expect(await text(body())).toBe(
      [
        ...[
          ['model', 'whisper-large-v3'],
          ['language', 'fr'],
          ['timestamp_granularities[]', 'word'],
          ['unknown', 'kept'],
        ].flatMap(([name, value]) => [`--${boundary}`, `content-disposition: form-data; name="${name}"`, '', value]),
        `--${boundary}`,
        'content-disposition: form-data; name="file"; filename="été.wav"',
        'content-type: audio/wav',
        '',
        'RIFF',
        `--${boundary}--`,
        '',
      ].join('\r\n'),
    )
  })

  test('states its length, for any content', async () => {
    const upload = uploadOf(
      { 'image[]': Buffer.alloc(5000, 0xff), mask: '' },
      { prompt: '画 🖼' },
      { filename: '"\r\n' },
    )
    const { headers, body } = multipartBody(upload, MODEL)
    expect((await buffer(body())).length).toBe(Number(headers['content-length']))
  })

  test('can be sent again to another channel', async () => {
    const { body } = multipartBody(uploadOf({ file: 'RIFF' }), MODEL)
    expect(await text(body())).toBe(await text(body()))
  })

  test('names the model if the client did not', async () => {
    const { body } = multipartBody(uploadOf({ file: 'RIFF' }, { language: 'fr' }), MODEL)
    expect(await text(body())).toContain('name="model"\r\n\r\nwhisper-large-v3\r\n')
  })

  test('cannot be broken by a file name', async () => {
    const evil = 'a"\r\nx-evil: 1\r\n\r\nb'
    const upload = uploadOf({ [evil]: 'x' }, { [evil]: 'y' }, { filename: evil, mime: 'a/b\r\nx-evil: 1' })
    const { body } = multipartBody(upload, MODEL)
    const sent = await text(body())
    expect(sent).not.toMatch(/^x-evil/m)
    expect(sent).toContain('content-type: application/octet-stream\r\n')
  })

  test('is read correctly', async () => {
    const { headers, body } = multipartBody(uploadOf({ file: 'a\r\n--b' }, { prompt: 'é\r\n' }), MODEL)
    const read = await receiveUpload(body(), { headers, bytesMax: 1e6, folder: tmpdir(), ...UNWATCHED })
    const [file] = read.files
    expect(read.fields).toContainEqual({ name: 'prompt', value: 'é\r\n' })
    expect(file && (await text(file.open()))).toBe('a\r\n--b')
    await read.discard()
  })
})
