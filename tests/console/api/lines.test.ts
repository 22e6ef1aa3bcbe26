import { expect, test } from 'vitest'
import { readRows } from '../../../console/api/lines.ts'

/** An answer that comes in these pieces; `broken`: and then no more of it. */
function answer(pieces: string[], { broken = false, onCancel = () => {} } = {}): Response {
  const bytes = pieces.map((piece) => new TextEncoder().encode(piece))
  return new Response(
    new ReadableStream(
      {
        pull(body) {
          const next = bytes.shift()
          if (next) body.enqueue(next)
          else if (broken) body.error(new TypeError('network error'))
          else body.close()
        },
        cancel: onCancel,
      },
      { highWaterMark: 0 },
    ),
  )
}

async function all(response: Response): Promise<unknown[]> {
  const rows: unknown[] = []
  for await (const batch of readRows(response)) rows.push(...batch)
  return rows
}

test('rows are read whole, at any chunk boundary', async () => {
  expect(await all(answer(['{"id":1}\n{"i', 'd":2}\n', '{"id":3}\n']))).toEqual([{ id: 1 }, { id: 2 }, { id: 3 }])
})

test('a truncated reply is not complete, whether cut between two rows or within one', async () => {
  await expect(all(answer(['{"id":1}\n'], { broken: true }))).rejects.toMatchObject({ kind: 'unreachable' })
  await expect(all(answer(['{"id":1}\n{"id"']))).rejects.toMatchObject({ kind: 'unreachable' })
})

test('a reader that stops also stops the server', async () => {
  let cancelled = false
  const response = answer(['{"id":1}\n', '{"id":2}\n'], {
    onCancel: () => {
      cancelled = true
    },
  })

  for await (const _batch of readRows(response)) break

  expect(cancelled).toBe(true)
})
