import { describe, expect, test } from 'vitest'
import { DIALECTS } from '../../../server/relay/dialects/dialects.ts'
import { createEventSplitter, EVENT_BYTES_MAX, eventData, eventsIn } from '../../../server/relay/transport/sse.ts'
import { streamEvents } from '../../support/wire.ts'

const dataOf = (wire: string, pieceBytes?: number) =>
  streamEvents(wire, pieceBytes === undefined ? {} : { pieceBytes }).map(({ data }) => data)

describe('events of a stream', () => {
  test.each([1, 2, 3, 1e6])('are the same in chunks of %i bytes, with any line endings', (pieceBytes) => {
    for (const end of ['\n', '\r\n', '\r']) {
      const wire = [': hello', '', 'event: a', 'data: {"x":"天😀"}', '', 'data:{"y":1}', '', ''].join(end)
      expect(dataOf(wire, pieceBytes)).toEqual(['{"x":"天😀"}', '{"y":1}'])
    }
  })

  test.each([1, 2, 3, 5, 1e6])(
    'are split at any blank line, with mixed line endings: chunks of %i bytes',
    (pieceBytes) => {
      const blanks = ['\n\n', '\r\n\r\n', '\r\r', '\n\r\n', '\r\n\n', '\r\r\n', '\n\r']
      const pairs = blanks.flatMap((one) => blanks.map((other) => [one, other]))
      for (const [one, other] of pairs) {
        const wire = `data: 1${one}data: 2\ndata:3${other}data: 4\rdata: 5\r\n${one}`
        expect({ wire, data: dataOf(wire, pieceBytes) }).toEqual({ wire, data: ['1', '2\n3', '4\n5'] })
      }
    },
  )

  test.each([1, 2, 1e6])('start after a byte order mark, which is not forwarded: chunks of %i bytes', (pieceBytes) => {
    for (const wire of ['data: 1\n\ndata: 2\n\n', 'data: 1']) {
      expect(streamEvents(`\uFEFF${wire}`, { pieceBytes })).toEqual(streamEvents(wire, { pieceBytes }))
    }
  })

  test('with several lines of data have one payload, joined by line feeds', () => {
    expect(dataOf('data: {\ndata: "a": 1\r\ndata:}\n\n')).toEqual(['{\n"a": 1\n}'])
  })

  test('without a payload are ignored: comments, empty data, and data that is a comment', () => {
    expect(dataOf(': OPENROUTER PROCESSING\n\ndata:\n\ndata: \n\ndata: : keepalive\n\ndata: 1\n\n')).toEqual(['1'])
  })

  test('are complete without a last blank line', () => {
    expect(dataOf('data: 1\n\ndata: 2')).toEqual(['1', '2'])
  })

  test('of sixteen megabytes arrive, larger ones do not', () => {
    const splitter = createEventSplitter()
    const large = Buffer.from(`data: ${'x'.repeat(EVENT_BYTES_MAX - 100)}`)
    expect(eventsIn(splitter, large)).toEqual([])
    const [event] = eventsIn(splitter, Buffer.from('\n\n'))
    expect(event && eventData(event)).toHaveLength(EVENT_BYTES_MAX - 100)
    expect(() => eventsIn(splitter, Buffer.alloc(EVENT_BYTES_MAX + 1, 'x'))).toThrow(RangeError)
  })
})

test.each(Object.entries(DIALECTS))('a ping of %s is one whole event, and sets no id', (_, { ping }) => {
  expect(ping.endsWith('\n\n')).toBe(true)
  expect(ping).not.toMatch(/^id:/m)
  expect(ping).toMatch(/^(: |event: ping\n)/)
})
