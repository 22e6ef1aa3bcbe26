import { describe, expect, test } from 'vitest'
import { endpointReader } from '../../../../server/relay/endpoints/reader.ts'
import { sse, streamEvents } from '../../../support/wire.ts'

const kinds = (operation: Parameters<typeof endpointReader>[0], ...payloads: (object | '[DONE]')[]) => {
  const reader = endpointReader(operation)
  const wire = payloads.map((payload) => sse(payload)).join('')
  const steps = [...streamEvents(wire).flatMap((event) => reader.event(event)), ...(reader.close?.() ?? [])]
  return steps.map(({ kind }) => kind)
}
const PARTIAL = { type: 'image_generation.partial_image', b64_json: 'AAAA', partial_image_index: 0 }

describe('a stream of pictures', () => {
  test('that ends before the picture is incomplete', () => {
    expect(kinds('images', PARTIAL)).toEqual(['text'])
    expect(kinds('image-edits', PARTIAL, '[DONE]')).toEqual(['text'])
  })

  test.each([
    { type: 'image_generation.completed', b64_json: 'AAAA' },
    { type: 'image_edit.completed', b64_json: 'AAAA' },
    { created: 1, data: [{ b64_json: 'AAAA' }] },
  ])('is complete with %j', (last) => {
    expect(kinds('images', PARTIAL, last).slice(-2)).toEqual(['stop', 'end'])
  })
})

test('a text stream is complete when it ends', () => {
  expect(kinds('transcriptions', { type: 'transcript.text.delta', delta: 'a' })).toEqual(['text', 'stop', 'end'])
})
