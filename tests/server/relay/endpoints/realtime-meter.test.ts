import { describe, expect, test } from 'vitest'
import { estimateTokens } from '../../../../server/relay/counting/estimate.ts'
import { RealtimeMeter, readRealtimeUsage } from '../../../../server/relay/endpoints/realtime-meter.ts'

const SECOND_OF_PCM = Buffer.alloc(48_000).toString('base64')
const SECOND_OF_PHONE = Buffer.alloc(8000).toString('base64')

/** Each word is a token. */
const words = async (texts: readonly string[]) => texts.join(' ').split(/\s+/).filter(Boolean).length

const delta = (kind: string, text: string) => ({ type: `response.${kind}.delta`, delta: text })
const done = (usage?: object) => ({ type: 'response.done', response: { id: 'r', usage } })
const append = (audio: string) => ({ type: 'input_audio_buffer.append', audio })

async function total(meter: RealtimeMeter) {
  const { usage, isEstimated } = await meter.total(words)
  const { promptTokens, completionTokens, audioPromptTokens, audioCompletionTokens } = usage
  return {
    prompt: [promptTokens, audioPromptTokens],
    completion: [completionTokens, audioCompletionTokens],
    isEstimated,
  }
}

describe('the usage of a response', () => {
  test('is ignored if no response can have used as much', async () => {
    const meter = new RealtimeMeter()
    meter.server({ type: 'response.created' })
    meter.server(delta('text', 'one two'))
    meter.server(done({ input_tokens: 1e15, output_tokens: 1 }))
    expect(await total(meter)).toEqual({ prompt: [0, 0], completion: [2, 0], isEstimated: true })
  })

  test('separates audio from text', () => {
    const usage = readRealtimeUsage({
      total_tokens: 253,
      input_tokens: 132,
      output_tokens: 121,
      input_token_details: { cached_tokens: 0, text_tokens: 119, audio_tokens: 13 },
      output_token_details: { text_tokens: 30, audio_tokens: 91 },
    })
    expect(usage).toMatchObject({
      promptTokens: 132,
      completionTokens: 121,
      audioPromptTokens: 13,
      audioCompletionTokens: 91,
      cachedTokens: 0,
    })
  })

  test('counts cached audio as cached, not as audio too', () => {
    const usage = readRealtimeUsage({
      input_tokens: 200,
      output_tokens: 5,
      input_token_details: {
        cached_tokens: 128,
        text_tokens: 80,
        audio_tokens: 120,
        cached_tokens_details: { text_tokens: 64, audio_tokens: 64 },
      },
    })
    expect(usage).toMatchObject({ promptTokens: 200, cachedTokens: 128, audioPromptTokens: 56 })
  })

  test('treats cached tokens without a kind as text', () => {
    const input_token_details = { cached_tokens: 100, text_tokens: 80, audio_tokens: 120 }
    const usage = readRealtimeUsage({ input_tokens: 200, output_tokens: 5, input_token_details })
    expect(usage).toMatchObject({ cachedTokens: 80, audioPromptTokens: 120 })
  })

  test('may have only its parts', () => {
    const output_token_details = { text_tokens: 3, audio_tokens: 4 }
    const usage = readRealtimeUsage({ input_token_details: { text_tokens: 10 }, output_token_details })
    expect(usage).toMatchObject({ promptTokens: 10, completionTokens: 7, audioCompletionTokens: 4 })
  })

  test.each([[undefined], [null], [{}], [{ input_tokens: 0, output_tokens: 0 }], ['12']])(
    'is undefined in %j',
    (reported) => {
      expect(readRealtimeUsage(reported)).toBeUndefined()
    },
  )
})

describe('a session', () => {
  test('sums the usage of its responses, and counts nothing else', async () => {
    const meter = new RealtimeMeter()
    meter.client(append(SECOND_OF_PCM))
    meter.server(delta('audio', SECOND_OF_PCM))
    meter.server(delta('audio_transcript', 'good day'))
    meter.server(done({ input_tokens: 10, output_tokens: 5, output_token_details: { audio_tokens: 4 } }))
    meter.server(done({ input_tokens: 20, output_tokens: 7 }))
    expect(await total(meter)).toEqual({ prompt: [30, 0], completion: [12, 4], isEstimated: false })
  })

  test.each([
    [
      'tokens',
      { type: 'tokens', input_tokens: 30, output_tokens: 9, input_token_details: { audio_tokens: 30 } },
      [30, 9],
    ],
    ['seconds', { type: 'duration', seconds: 59.5 }, [1000, 0]],
  ])('adds the usage of transcriptions in %s, and not at the audio price', async (_, usage, [prompt, completion]) => {
    const meter = new RealtimeMeter()
    meter.server({ type: 'conversation.item.input_audio_transcription.completed', transcript: 'hi', usage })
    expect(await total(meter)).toEqual({ prompt: [prompt, 0], completion: [completion, 0], isEstimated: false })
  })

  test.each([[1e15], [Number.POSITIVE_INFINITY]])('ignores a transcription of %d seconds', async (seconds) => {
    const meter = new RealtimeMeter()
    meter.server({ type: 'conversation.item.input_audio_transcription.completed', usage: { seconds } })
    meter.server(done({ input_tokens: 10, output_tokens: 5 }))
    expect(await total(meter)).toEqual({ prompt: [10, 0], completion: [5, 0], isEstimated: false })
  })

  test('counts output after the last report', async () => {
    const meter = new RealtimeMeter()
    meter.server(done({ input_tokens: 10, output_tokens: 5 }))
    meter.server(delta('output_text', 'three more words'))
    expect(await total(meter)).toEqual({ prompt: [10, 0], completion: [8, 0], isEstimated: true })
  })

  test('counts everything if the upstream reports nothing', async () => {
    const meter = new RealtimeMeter()
    const tools = [{ type: 'function', name: 'look up', description: 'finds it' }, { name: 'other' }]
    meter.client({ type: 'session.update', session: { instructions: 'be kind', tools } })
    meter.client(append(SECOND_OF_PCM))
    meter.server({
      type: 'conversation.item.created',
      item: { type: 'message', role: 'user', content: [{ type: 'input_text', text: 'how are you' }] },
    })
    meter.server(delta('audio', SECOND_OF_PCM))
    meter.server(delta('audio_transcript', 'fine'))
    meter.server(delta('function_call_arguments', '{}'))
    meter.server(done())
    // 2 + 3 words and a second heard (27); 2 words and a second spoken (13).
    expect(await total(meter)).toEqual({ prompt: [32, 27], completion: [15, 13], isEstimated: true })
    meter.server(done())
    // The second response has read the tools again: 8 for each, and 5 words.
    expect((await total(meter)).prompt).toEqual([32 + 16 + 5, 27])
  })

  test('counts a whole minute of audio, at any chunk boundary', async () => {
    const meter = new RealtimeMeter()
    for (let second = 0; second < 60; second += 1) meter.client(append(SECOND_OF_PCM))
    expect((await total(meter)).prompt).toEqual([1666, 1666])
  })

  test.each([
    ['as it once was', { input_audio_format: 'g711_ulaw', output_audio_format: 'g711_alaw' }],
    ['as it is', { audio: { input: { format: { type: 'audio/pcmu' } }, output: { format: { type: 'audio/pcma' } } } }],
  ])('follows the audio formats reported by the upstream, %s', async (_, session) => {
    const meter = new RealtimeMeter()
    meter.server({ type: 'session.updated', session })
    meter.client(append(SECOND_OF_PHONE))
    meter.server(delta('output_audio', SECOND_OF_PHONE))
    expect(await total(meter)).toMatchObject({ prompt: [27, 27], completion: [13, 13] })
  })

  test('stays with PCM if a session has no audio settings', async () => {
    const meter = new RealtimeMeter()
    meter.server({
      type: 'session.created',
      session: { audio: { input: { format: { type: 'audio/pcm', rate: 24000 } } } },
    })
    meter.client(append(SECOND_OF_PCM))
    expect((await total(meter)).prompt).toEqual([27, 27])
  })

  test('is responding from the request of a response until its end', () => {
    const meter = new RealtimeMeter()
    const states = [meter.isResponding]
    const say = (side: 'client' | 'server', event: object) => {
      meter[side](event as never)
      states.push(meter.isResponding)
    }
    say('client', { type: 'response.create' })
    say('server', { type: 'response.created' })
    say('server', done({ input_tokens: 1, output_tokens: 1 }))
    say('client', { type: 'response.create' })
    say('server', { type: 'error', error: {} })
    expect(states).toEqual([false, true, true, false, true, false])
  })

  test('estimates its usage so far without counting', () => {
    const meter = new RealtimeMeter()
    meter.server(done({ input_tokens: 10, output_tokens: 5 }))
    meter.client(append(SECOND_OF_PCM))
    meter.server(delta('text', 'abcdef'))
    expect(meter.estimate()).toMatchObject({
      promptTokens: 37,
      completionTokens: 5 + estimateTokens('abcdef'),
      audioPromptTokens: 27,
    })
  })

  test('ignores invalid events', async () => {
    const meter = new RealtimeMeter()
    for (const event of [
      {},
      { type: 7 },
      { type: 'response.done' },
      { type: 'response.done', response: 'x' },
      { type: 'response.audio.delta', delta: 5 },
      { type: 'session.updated', session: null },
      { type: 'conversation.item.created', item: { type: 'message', content: 'x' } },
      { type: 'something.new', delta: 'text' },
    ])
      meter.server(event as never)
    meter.client({ type: 'session.update', session: { tools: 'x', instructions: 4 } })
    meter.client({ type: 'input_audio_buffer.append' })
    expect(await total(meter)).toEqual({ prompt: [0, 0], completion: [0, 0], isEstimated: false })
  })
})
