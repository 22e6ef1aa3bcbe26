import { describe, expect, test } from 'vitest'
import { userMessage } from '../../../../console/pages/playground/conversation.ts'
import { newest } from '../../../../console/pages/playground/stored-conversation.ts'

describe('a stored conversation', () => {
  const messages = Array.from({ length: 10 }, (_, place) => userMessage(`${place}`.repeat(1000), []))

  test('is complete while there is room', () => {
    expect(newest(messages, 100_000)).toEqual(messages)
  })

  test('is its newest messages, in order', () => {
    const kept = newest(messages, 3500)
    expect(kept).toEqual(messages.slice(-kept.length))
    expect(kept).toHaveLength(3)
  })

  test('prefers texts over pictures', () => {
    const [old, young] = [userMessage('old', ['x'.repeat(2000)]), userMessage('young', ['y'.repeat(2000)])]
    expect(newest([old, young], 3000)).toEqual([{ ...old, images: [] }, young])
  })
})
