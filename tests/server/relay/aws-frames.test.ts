import { describe, expect, test } from 'vitest'
import { createFrameSplitter } from '../../../server/relay/transport/aws-frames.ts'
import { frame, frames } from '../../support/aws-frames.ts'

/** Made by another implementation: headers 75 bytes, payload 44. */
const VECTOR = Buffer.from(
  '000000870000004b87ea2bf30b3a6576656e742d747970650700056368756e6b0d3a636f6e74656e742d747970650700106170706c69636174696f6e2f6a736f6e0d3a6d6573736167652d747970650700056576656e747b226279746573223a2265794a306558426c496a6f696257567a6332466e5a56397a64473977496e303d227dba48ab22',
  'hex',
)

function changed(bytes: Buffer, at: number, by = 1): Buffer {
  const copy = Buffer.from(bytes)
  copy[at] = (copy[at] ?? 0) ^ by
  return copy
}

describe('frames of an event stream', () => {
  test('a frame of another implementation is read, with the JSON in its base64', () => {
    const [event] = createFrameSplitter().push(VECTOR)
    expect(event).toMatchObject({
      name: 'chunk',
      data: '{"type":"message_stop"}',
      payload: { type: 'message_stop' },
      done: false,
    })
    expect(event?.bytes.equals(VECTOR)).toBe(true)
  })

  test('the same events result at any chunk boundary, one or each byte', () => {
    const wire = Buffer.concat([
      frames(['messageStart', { role: 'assistant' }], ['contentBlockDelta', { delta: { text: '你好 🙂' } }]),
      VECTOR,
    ])
    const whole = createFrameSplitter().push(wire)
    expect(whole.map(({ data }) => data)).toEqual([
      '{"role":"assistant"}',
      '{"delta":{"text":"你好 🙂"}}',
      '{"type":"message_stop"}',
    ])
    for (let cut = 1; cut < wire.length; cut++) {
      const splitter = createFrameSplitter()
      const events = [...splitter.push(wire.subarray(0, cut)), ...splitter.push(wire.subarray(cut))]
      expect(events.map(({ data }) => data)).toEqual(whole.map(({ data }) => data))
    }
    const splitter = createFrameSplitter()
    const single = [...wire].flatMap((byte) => splitter.push(Buffer.from([byte])))
    expect(single).toEqual(whole)
  })

  test('each byte of a frame is covered by a checksum', () => {
    for (let at = 4; at < VECTOR.length; at++) {
      expect(() => createFrameSplitter().push(changed(VECTOR, at)), `byte ${at}`).toThrow()
    }
  })

  test('a damaged length is detected before more bytes are awaited', () => {
    expect(() => createFrameSplitter().push(changed(VECTOR, 2).subarray(0, 12))).toThrow('damaged')
  })

  test.each([
    ['above 16 MiB', 16 * 1024 * 1024 + 1],
    ['of four gigabytes', 0xffffffff],
    ['below an empty frame', 15],
    ['of nothing', 0],
  ])('a declared length %s is rejected immediately', (_, length) => {
    const head = Buffer.alloc(12)
    head.writeUInt32BE(length, 0)
    expect(() => createFrameSplitter().push(head)).toThrow(RangeError)
  })

  test('invalid event streams are rejected', () => {
    expect(() => createFrameSplitter().push(Buffer.from('<html><body>Bad gateway</body></html>'))).toThrow(RangeError)
  })

  test('a frame of several megabytes arrives whole from small chunks', () => {
    const text = 'x'.repeat(3 * 1024 * 1024)
    const wire = frames(['contentBlockDelta', { delta: { text } }])
    const splitter = createFrameSplitter()
    const events = []
    for (let at = 0; at < wire.length; at += 1000) events.push(...splitter.push(wire.subarray(at, at + 1000)))
    expect(events.map(({ payload }) => payload)).toEqual([{ delta: { text } }])
  })

  test('an exception is named by its type, even without a message', () => {
    const head = { ':message-type': 'exception', ':exception-type': 'throttlingException' }
    const wire = Buffer.concat([frame(head, { message: 'Too many' }), frame(head, ''), frame(head, 'no JSON')])
    expect(createFrameSplitter().push(wire)).toMatchObject([
      { name: 'throttlingException', payload: { message: 'Too many' } },
      { name: 'throttlingException', payload: { message: '' } },
      { name: 'throttlingException', payload: { message: 'no JSON' } },
    ])
  })

  test('an error without a type has its code and message', () => {
    const wire = frame({ ':message-type': 'error', ':error-code': 'InternalFailure', ':error-message': 'Broken' }, '')
    expect(createFrameSplitter().push(wire)).toMatchObject([
      { name: 'error', payload: { code: 'InternalFailure', message: 'Broken' } },
    ])
  })

  test('a partial frame at the end of the body is ignored', () => {
    const splitter = createFrameSplitter()
    expect(splitter.push(VECTOR.subarray(0, 100))).toEqual([])
  })
})
