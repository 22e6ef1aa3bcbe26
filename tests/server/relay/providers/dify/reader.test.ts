import { describe, expect, test } from 'vitest'
import { collect } from '../../../../../server/relay/conversation/collect.ts'
import type { Conversation } from '../../../../../server/relay/conversation/conversation.ts'
import { dify } from '../../../../../server/relay/providers/dify/dify.ts'
import type { ReplyReader } from '../../../../../server/relay/providers/provider.ts'
import { askFor, contextWith, liveChannel } from '../../../../support/ask.ts'
import { readStream, sse } from '../../../../support/wire.ts'

const conversation: Conversation = {
  turns: [{ role: 'user', parts: [{ kind: 'text', text: 'Hi' }] }],
  tools: [],
  extras: {},
}
async function reader(other = ''): Promise<ReplyReader> {
  const plan = await dify.plan(askFor({ conversation, stream: true }), liveChannel(37, { other }), contextWith())
  return plan.reader ?? expect.fail('no reader')
}
const USAGE = { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15, total_price: '0.0012', currency: 'USD' }
const message = (answer: string) => ({ event: 'message', message_id: 'm1', conversation_id: 'c1', answer })
const end = { event: 'message_end', message_id: 'm1', metadata: { usage: USAGE, retriever_resources: [] } }

const read = async (wire: string, { other = '', pieceBytes = 100_000 } = {}) => {
  const events = readStream(await reader(other), wire, { pieceBytes })
  const [choice] = collect(events).choices
  const reasoning = choice?.reasoning.map(({ text }) => text).join('')
  return {
    events,
    text: choice?.text,
    reasoning,
    stop: choice?.stop,
    usage: collect(events).usage,
    id: collect(events).id,
  }
}

test('a chat is text, usage and the end, without pings and unknown events', async () => {
  const wire = `event: ping\n\n${sse(message('Hé'), { event: 'tts_message', audio: 'AAAA' }, message('llo'), { event: 'node_retry' }, end, { event: 'tts_message_end' })}`
  for (const pieceBytes of [1, 7, 100_000]) {
    expect(await read(wire, { pieceBytes })).toMatchObject({
      id: 'm1',
      text: 'Héllo',
      stop: 'stop',
      usage: { promptTokens: 10, completionTokens: 5 },
    })
  }
  expect((await read(wire)).events.at(-1)).toEqual({ kind: 'end' })
})

test('progress inside a chatflow is reasoning, and its end is not that of the chat', async () => {
  const { events, text, reasoning } = await read(
    sse(
      { event: 'workflow_started', workflow_run_id: 'r1', data: { workflow_id: 'w1' } },
      { event: 'node_started', data: { node_id: 'n1', title: 'LLM' } },
      message('Hello'),
      { event: 'node_finished', data: { process_data: { usage: USAGE } } },
      { event: 'workflow_finished', data: { status: 'succeeded', outputs: { answer: 'Hello' } } },
      end,
    ),
  )
  expect({ text, reasoning }).toEqual({ text: 'Hello', reasoning: 'Workflow: w1\nNode: n1\n' })
  expect(events.filter(({ kind }) => kind === 'end')).toHaveLength(1)
})

describe('progress inside an app', () => {
  const started = { event: 'workflow_started', data: { workflow_id: 'w1' } }
  const node = (node_id: string) => ({ event: 'node_started', data: { node_id } })
  const finished = (node_type: string, status = 'succeeded') => ({
    event: 'node_finished',
    data: { node_type, status },
  })

  test('is delayed until the first result, so that an early failure is read first', async () => {
    const { events } = await read(
      sse(started, node('n1'), finished('start'), node('n2'), finished('llm', 'failed'), {
        event: 'error',
        status: 400,
        code: 'provider_quota_exceeded',
        message: 'No credit',
      }),
    )
    expect(events.map(({ kind }) => kind)).toEqual(['error'])
  })

  test('is sent when a node has finished', async () => {
    const { events } = await read(sse(started, node('n1'), finished('http-request'), node('n2')))
    expect(events.flatMap((event) => (event.kind === 'reasoning' ? [event.text] : []))).toEqual([
      'Workflow: w1\nNode: n1\n',
      'Node: n2\n',
    ])
  })
})

describe('an agent', () => {
  test('has growing thoughts, each sent once', async () => {
    const thought = (id: string, text: string) => ({ event: 'agent_thought', id, thought: text, message_id: 'm1' })
    const { reasoning, text } = await read(
      sse(
        thought('t1', ''),
        thought('t1', 'I look'),
        thought('t1', 'I look it up.'),
        thought('t1', 'I look it up.'),
        thought('t2', 'Found.'),
        { event: 'agent_message', message_id: 'm1', answer: 'Sun' },
        end,
      ),
      { other: 'agent' },
    )
    expect({ reasoning, text }).toEqual({ reasoning: 'I look it up.Found.', text: 'Sun' })
  })

  test('with equal thought and answer sends it once', async () => {
    const { reasoning, text } = await read(
      sse(
        { event: 'agent_message', answer: 'Sun in ' },
        { event: 'agent_message', answer: 'Rome.' },
        { event: 'agent_thought', id: 't1', thought: 'Sun in Rome.' },
        end,
      ),
      { other: 'agent' },
    )
    expect({ reasoning, text }).toEqual({ reasoning: '', text: 'Sun in Rome.' })
  })

  test('does not repeat its whole answer at the end', async () => {
    const { text } = await read(
      sse({ event: 'agent_message', answer: 'Sun' }, { event: 'agent_message', answer: '!' }, message('Sun!'), end),
      { other: 'agent' },
    )
    expect(text).toBe('Sun!')
  })

  test("shows pictures as links, except the user's", async () => {
    const file = (url: string, belongs_to: string) => ({ event: 'message_file', type: 'image', url, belongs_to })
    const { text } = await read(
      sse(file('https://a.example/user.png', 'user'), file('https://a.example/1.png', 'assistant'), end),
      { other: 'agent' },
    )
    expect(text).toBe('![image](https://a.example/1.png)\n')
  })
})

describe('a replaced answer', () => {
  const replaced = { event: 'message_replace', answer: 'I cannot say.' }

  test('ends as filtered, because sent text cannot be revoked', async () => {
    expect(await read(sse(message('Bad'), replaced, end))).toMatchObject({ text: 'Bad', stop: 'filter' })
  })

  test('is the new one, if nothing was sent yet', async () => {
    expect(await read(sse(replaced, end))).toMatchObject({ text: 'I cannot say.', stop: 'filter' })
  })
})

describe('think tags in the text', () => {
  const OPEN = '<details style="color:gray;padding: 8px;" open> <summary> Thinking... </summary>\n'
  const letters = (text: string) => sse(...[...text].map(message), end)

  test('become reasoning, at any chunk boundary', async () => {
    const text = `${OPEN}Hm.\n\n</details>\n\nHello <b>`
    for (const wire of [sse(message(text), end), letters(text)]) {
      expect(await read(wire)).toMatchObject({ reasoning: 'Hm.\n\n', text: 'Hello <b>' })
    }
  })

  test('become reasoning in the middle of an answer too', async () => {
    const text = `One. ${OPEN}Hm.</details>\nTwo. ${OPEN}Hmm.</details>Three.`
    expect(await read(letters(text))).toMatchObject({ reasoning: 'Hm.Hmm.', text: 'One. Two. Three.' })
  })

  test('without an end become reasoning to the end', async () => {
    expect(await read(letters(`${OPEN}Hm. <`))).toMatchObject({ reasoning: 'Hm. <', text: '' })
  })

  test.each([
    '<details><summary>More</summary>Text</details> and <detai',
    'a < b, <details',
    `<details ${'x'.repeat(500)}> end`,
    'a <details open> b',
  ])('are distinguished from other HTML: %j', async (told) => {
    expect(await read(letters(told))).toMatchObject({ reasoning: '', text: told })
  })

  test('may be at the start', async () => {
    expect(await read(letters('<think>\nHm.</think>\nHello'))).toMatchObject({ reasoning: '\nHm.', text: 'Hello' })
  })
})

describe('a workflow', () => {
  const finished = (data: object) => ({ event: 'workflow_finished', workflow_run_id: 'r1', data })

  test('streams its text, with the usage of each model', async () => {
    const node = { event: 'node_finished', data: { process_data: { usage: USAGE } } }
    const { text, usage, stop, events } = await read(
      sse(
        { event: 'text_chunk', data: { text: 'Sun' } },
        { event: 'text_chunk', data: { text: '!' } },
        node,
        node,
        { event: 'node_finished', data: { outputs: { result: 1 } } },
        finished({ status: 'succeeded', outputs: { text: 'Sun!' }, total_tokens: 30 }),
      ),
      { other: 'workflow' },
    )
    expect({ text, stop }).toEqual({ text: 'Sun!', stop: 'stop' })
    expect(usage).toMatchObject({ promptTokens: 20, completionTokens: 10 })
    expect(events.at(-1)).toEqual({ kind: 'end' })
  })

  test.each([
    [{ unknown: 'Sun' }, 'Sun'],
    [{ score: 1, answer: 'Sun' }, 'Sun'],
    [{ score: 1, list: [2] }, '{"score":1,"list":[2]}'],
    [{}, ''],
    [null, ''],
  ])('returns its outputs %j as %j', async (outputs, text) => {
    expect((await read(sse(finished({ status: 'succeeded', outputs })), { other: 'workflow' })).text).toBe(text)
  })

  test('that failed is an error', async () => {
    const { events } = await read(sse(finished({ status: 'failed', error: 'node LLM: quota' })), { other: 'workflow' })
    expect(events).toContainEqual({
      kind: 'error',
      error: expect.objectContaining({ message: 'node LLM: quota' }) as unknown,
    })
    expect(events.map(({ kind }) => kind)).not.toContain('end')
  })

  test('is read whole too', async () => {
    const whole = (await reader('workflow')).whole({
      workflow_run_id: 'r1',
      data: { status: 'succeeded', outputs: { text: 'Sun' }, total_tokens: 5 },
    })
    expect(collect(whole)).toMatchObject({ id: 'r1', choices: [{ text: 'Sun', stop: 'stop' }] })
    expect(whole.at(-1)).toEqual({ kind: 'end' })
  })
})

test.each([
  [{ status: 400, code: 'provider_quota_exceeded', message: 'No credit' }, 402, 'insufficient_quota'],
  [{ status: 400, code: 'invalid_param', message: 'No query' }, 400, 'invalid_request_error'],
  [{ status: 500, code: 'strange', message: 'Oops' }, 500, 'upstream_error'],
])('an error in a stream is an error: %j', async (error, status, type) => {
  const { events } = await read(sse(message('Hel'), { event: 'error', ...error }))
  expect(events).toContainEqual({
    kind: 'error',
    error: expect.objectContaining({ status, type, message: error.message }) as unknown,
  })
})

test('a whole reply is answer, reasoning, usage and end', async () => {
  const whole = (await reader()).whole({
    event: 'message',
    message_id: 'm1',
    mode: 'chat',
    answer: '<details open> <summary> Thinking... </summary>\nHm.</details>\nHello',
    metadata: { usage: USAGE },
  })
  expect(collect(whole)).toMatchObject({
    id: 'm1',
    choices: [{ text: 'Hello', reasoning: [{ text: 'Hm.' }], stop: 'stop' }],
    usage: { promptTokens: 10, completionTokens: 5 },
  })
  expect(whole.at(-1)).toEqual({ kind: 'end' })
})

test('an error with status 200 is an error', async () => {
  const whole = (await reader()).whole({ code: 'app_unavailable', message: 'Gone', status: 400 })
  expect(whole).toEqual([{ kind: 'error', error: expect.objectContaining({ code: 'app_unavailable' }) as unknown }])
})

test('a truncated stream has no end, and all its text', async () => {
  const { events, text } = await read(sse(message('Hello <det')))
  expect(text).toBe('Hello <det')
  expect(events.map(({ kind }) => kind)).not.toContain('end')
})
