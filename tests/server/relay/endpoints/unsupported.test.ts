import { expect, test } from 'vitest'
import { UNSUPPORTED } from '../../../../server/relay/paths/openai.ts'

const lines = UNSUPPORTED.map((entry) => entry.join(' '))

test('edits of texts, fine-tunes and deleting models are known but unsupported, each once', () => {
  expect(new Set(lines).size).toBe(7)
  expect(lines).toEqual(
    expect.arrayContaining(['POST /v1/edits', 'GET /v1/fine-tunes/:id', 'DELETE /v1/models/:model']),
  )
})

test('edits and variations of pictures are supported', () => {
  expect(lines.filter((line) => line.includes('images'))).toEqual([])
})
