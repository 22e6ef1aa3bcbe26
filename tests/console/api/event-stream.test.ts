import { describe, expect, test } from 'vitest'
import { readEvents } from '../../../console/api/event-stream.ts'

/** A stream of these chunks; `cancelled` says whether the reader gave it up. */
function streamOf(chunks: Uint8Array[]) {
  const state = { cancelled: false }
  const body = new ReadableStream<Uint8Array>({
    pull(controller) {
      const chunk = chunks.shift()
      if (chunk) controller.enqueue(chunk)
      else controller.close()
    },
    cancel() {
      state.cancelled = true
    },
  })
  return { body, state }
}

const bytes = (text: string) => new TextEncoder().encode(text)

async function eventsOf(...chunks: (string | Uint8Array)[]): Promise<string[]> {
  const { body } = streamOf(chunks.map((chunk) => (typeof chunk === 'string' ? bytes(chunk) : chunk)))
  return all(readEvents(body))
}

describe('server-sent events', () => {
  test('are separated by empty lines, with any line endings', async () => {
    expect(await eventsOf('data: one\n\ndata: two\r\n\r\ndata: three\r\rdata:four\n\n')).toEqual([
      'one',
      'two',
      'three',
      'four',
    ])
  })

  test('may be split anywhere, within a character and between CR and LF too', async () => {
    const whole = bytes('data: 你好 🌧\r\n\r\ndata: two\r\n\r\n')
    for (let at = 1; at < whole.length; at++) {
      expect(await eventsOf(whole.slice(0, at), whole.slice(at))).toEqual(['你好 🌧', 'two'])
    }
    expect(await eventsOf(...Array.from(whole, (byte) => Uint8Array.of(byte)))).toEqual(['你好 🌧', 'two'])
  })

  test('have their data lines joined, without comments and other fields', async () => {
    expect(await eventsOf(': ping\n\nevent: message\nid: 7\ndata: {\ndata: }\nretry: 5\n\n')).toEqual(['{\n}'])
    expect(await eventsOf('data\n\ndata:  two spaces\n\n')).toEqual(['', ' two spaces'])
  })

  test('are dropped if the stream breaks off within them', async () => {
    expect(await eventsOf('data: whole\n\ndata: half')).toEqual(['whole'])
    expect(await eventsOf('data: whole\n\ndata: half\n')).toEqual(['whole'])
  })

  test('are canceled at the source if the reader stops', async () => {
    const { body, state } = streamOf([bytes('data: one\n\n'), bytes('data: two\n\n'), bytes('data: three\n\n')])

    for await (const data of readEvents(body)) {
      expect(data).toBe('one')
      break
    }

    expect(state.cancelled).toBe(true)
  })
})

async function all<T>(items: AsyncIterable<T>): Promise<T[]> {
  const values: T[] = []
  for await (const item of items) values.push(item)
  return values
}
