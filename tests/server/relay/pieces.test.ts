import { describe, expect, test } from 'vitest'
import type { Plan, ReplyReader } from '../../../server/relay/providers/provider.ts'
import { type ChunkReader, readChunks } from '../../../server/relay/transport/chunks.ts'

/** Says the text of each event, and how it ended. */
const reader: ReplyReader = {
  event({ data }) {
    if (data === '"bad"') throw new Error('unreadable')
    return [{ kind: 'text', text: data }]
  },
  whole: () => [],
  close: () => [{ kind: 'stop', reason: 'stop' }],
}

function bodyOf(...bytes: string[]) {
  const left = bytes.map((text) => Buffer.from(text))
  const body = {
    destroyed: false,
    read: async () => left.shift(),
    flow: () => expect.fail('Batches are asked for one by one'),
    destroy() {
      body.destroyed = true
    },
  }
  return body
}

function open(bytes: string[], plan: Pick<Plan, 'framing' | 'readsNonJsonEvents'> = { readsNonJsonEvents: true }) {
  const body = bodyOf(...bytes)
  return { body, pieces: readChunks({ body }, { plan, reader }) }
}

async function saidBy(pieces: ChunkReader): Promise<string[][]> {
  const batches: string[][] = []
  for (let batch = await pieces.next(); batch; batch = await pieces.next()) {
    batches.push(batch.flatMap(({ events }) => events.map((step) => ('text' in step ? step.text : step.kind))))
  }
  return batches
}

describe('chunks of a stream', () => {
  test('are batched as they arrive, and empty events make no batch', async () => {
    const { pieces } = open(['data: 1\n\ndata: 2\n\n', ': ping\n\n', 'data:', ' 3\n\nda', 'ta: 4\n\n'])
    expect(await saidBy(pieces)).toEqual([['1', '2'], ['3'], ['4'], ['stop']])
  })

  test("an event without its blank line is read at the end, with the reader's last events", async () => {
    const { pieces } = open(['data: 1\n\n', 'data: 2'])
    expect(await saidBy(pieces)).toEqual([['1'], ['2', 'stop']])
  })

  test('a chunk that was put back comes first', async () => {
    const { pieces } = open(['data: 1\n\ndata: 2\n\n', 'data: 3\n\n'])
    pieces.putBack((await pieces.next())?.slice(1) ?? [])
    expect(await saidBy(pieces)).toEqual([['2'], ['3'], ['stop']])
  })

  test('closing ends the exchange, and no more chunks arrive', async () => {
    const { body, pieces } = open(['data: 1\n\n', 'data: 2\n\n'])
    pieces.putBack((await pieces.next()) ?? [])
    pieces.close()
    expect(body.destroyed).toBe(true)
    expect(await saidBy(pieces)).toEqual([])
  })

  test('a reader error ends the exchange', async () => {
    const { body, pieces } = open(['data: "bad"\n\n'])
    await expect(pieces.next()).rejects.toThrow('unreadable')
    expect(body.destroyed).toBe(true)
  })

  test('an upstream that sends only comments is disconnected', async () => {
    const body = bodyOf(...Array.from({ length: 200 }, () => `: ${'x'.repeat(100_000)}\n\n`), 'data: 1\n\n')
    const pieces = readChunks({ body }, { plan: { readsNonJsonEvents: true }, reader })
    await expect(pieces.next()).rejects.toThrow(RangeError)
    expect(body.destroyed).toBe(true)
  })

  test('an event of the maximum size is not silence', async () => {
    const text = 'x'.repeat(1_000_000)
    const { pieces } = open(['data: ', ...Array.from({ length: 15 }, () => text), '\n\n'])
    expect((await saidBy(pieces))[0]?.[0]).toHaveLength(15_000_000)
  })
})
