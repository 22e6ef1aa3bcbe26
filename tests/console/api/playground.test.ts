import { afterEach, describe, expect, test, vi } from 'vitest'
import { type PlaygroundRequest, replyParts, streamChat } from '../../../console/api/playground.ts'

afterEach(() => {
  vi.unstubAllGlobals()
})

const delta = (delta: object, more: object = {}) => JSON.stringify({ choices: [{ index: 0, delta }], ...more })

describe('an event of a reply', () => {
  test.each([
    ['text', delta({ content: 'hi' }), [{ kind: 'text', text: 'hi' }]],
    ['thoughts', delta({ reasoning_content: 'hm' }), [{ kind: 'reasoning', text: 'hm' }]],
    ['thoughts by their other name', delta({ reasoning: 'hm' }), [{ kind: 'reasoning', text: 'hm' }]],
    ['only who speaks', delta({ role: 'assistant', content: '' }), []],
    ['no text', delta({ content: null }), []],
    ['no choice', JSON.stringify({ choices: [] }), []],
    ['nothing known', '{"object":"ping"}', []],
    [
      'usage',
      delta({}, { usage: { prompt_tokens: 3, completion_tokens: 4 } }),
      [{ kind: 'usage', promptTokens: 3, completionTokens: 4, cachedTokens: 0 }],
    ],
    [
      'a piece of a call of a tool',
      delta({ tool_calls: [{ index: 1, function: { name: 'weather', arguments: '{"at"' } }] }),
      [{ kind: 'tool', place: 1, name: 'weather', text: '{"at"' }],
    ],
    ['half of usage', delta({}, { usage: { prompt_tokens: 3 } }), []],
    ['the end', '[DONE]', [{ kind: 'done' }]],
    ['an error', '{"error":{"message":"overloaded"}}', [{ kind: 'error', text: 'overloaded' }]],
    ['an error in a word', '{"error":"overloaded"}', [{ kind: 'error', text: 'overloaded' }]],
    ['an error without words', '{"error":{"code":7}}', [{ kind: 'error', text: '{"code":7}' }]],
    ['what is no JSON', 'Bad gateway', [{ kind: 'error', text: 'Bad gateway' }]],
  ])('that has %s', (_, data, parts) => {
    expect(replyParts(data)).toEqual(parts)
  })
})

describe('a chat', () => {
  const request: PlaygroundRequest = {
    messages: [{ role: 'user', content: 'hi' }],
    model: 'gpt-4o-mini',
    group: 'default',
    max_tokens: 0,
    temperature: 0,
  }

  function answering(answer: () => Response) {
    const ask = vi.fn(async (_path: string, _request: RequestInit) => answer())
    vi.stubGlobal('fetch', ask)
    return ask
  }

  test('requests a stream with exactly the chosen settings, and ends with [DONE]', async () => {
    const ask = answering(
      () =>
        new Response(`data: ${delta({ content: 'hi' })}\n\ndata: [DONE]\n\ndata: more\n\n`, {
          headers: { 'x-oneapi-request-id': 'r1' },
        }),
    )

    const parts = await all(streamChat(request, new AbortController().signal))

    expect(parts.filter(({ kind }) => kind !== 'raw')).toEqual([
      { kind: 'opened', requestId: 'r1' },
      { kind: 'text', text: 'hi' },
      { kind: 'done' },
    ])
    const [path, { body }] = ask.mock.calls[0] ?? ['', {}]
    expect(path).toBe('/pg/chat/completions')
    expect(JSON.parse(String(body))).toEqual({ ...request, stream: true })
  })

  test('that breaks in the network is a normal failure', async () => {
    answering(
      () =>
        new Response(
          new ReadableStream({
            pull(controller) {
              controller.error(new TypeError('network error'))
            },
          }),
        ),
    )

    const parts = all(streamChat(request, new AbortController().signal))

    await expect(parts).rejects.toMatchObject({ name: 'ApiError', kind: 'unreachable' })
  })
})

async function all<T>(items: AsyncIterable<T>): Promise<T[]> {
  const values: T[] = []
  for await (const item of items) values.push(item)
  return values
}
