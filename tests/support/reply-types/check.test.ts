import { expect, test } from 'vitest'
import { payloadsOf, problemsWithTypes, typed } from './check.ts'

const COMPLETION = {
  id: 'chatcmpl-1',
  object: 'chat.completion',
  created: 1,
  model: 'm',
  choices: [
    {
      index: 0,
      message: { role: 'assistant', content: 'Hi', refusal: null },
      logprobs: null,
      finish_reason: 'stop',
    },
  ],
}
const [CHOICE] = COMPLETION.choices

test('a missing field, another type and an unknown word are found, also beside an unknown field', async () => {
  const replies: [string, object][] = [
    ['right', COMPLETION],
    ['unknown', { ...COMPLETION, choices: [{ ...CHOICE, extra: 1 }], extra: { deep: true } }],
    ['missing', { ...COMPLETION, choices: [{ ...CHOICE, message: { role: 'assistant', content: 'Hi' } }] }],
    ['hidden', { ...COMPLETION, choices: [{ ...CHOICE, message: { role: 'assistant', content: 'Hi', extra: 1 } }] }],
    ['other type', { ...COMPLETION, created: '1' }],
    ['other word', { ...COMPLETION, choices: [{ ...CHOICE, finish_reason: 'done' }] }],
  ]

  const problems = await problemsWithTypes(replies.map(([from, value]) => ({ type: 'ChatCompletion', value, from })))

  const found = new Set(problems.map((problem) => problem.split(':')[0]))
  expect(found).toEqual(new Set(['missing', 'hidden', 'other type', 'other word']))
})

test('a stream is checked by its events, and a failure as an error', () => {
  const reply = { method: 'POST', path: '/v1/messages', request: '', contentType: '', status: 200 }
  const text = 'event: ping\r\ndata: {"type":"ping"}\r\n\r\n: comment\n\ndata: [DONE]\n\ndata: {"type":"mess'
  expect(payloadsOf(text)).toEqual([{ type: 'ping' }])
  expect(typed({ ...reply, text }, 'a')).toEqual([{ type: 'MessageEvent', value: { type: 'ping' }, from: 'a' }])
  expect(typed({ ...reply, status: 400, text: '{}' }, 'a')).toEqual([{ type: 'MessageError', value: {}, from: 'a' }])
  expect(typed({ ...reply, path: '/metrics', text: '{}' }, 'a')).toEqual([])
})
