import { describe, expect, test } from 'vitest'
import type { EndpointAsk } from '../../../../server/relay/endpoints/endpoint.ts'
import { ENDPOINTS } from '../../../../server/relay/endpoints/endpoints.ts'
import { uploadOf } from '../../../support/upload.ts'

const ask = (body: Record<string, unknown>, model = 'a-model'): EndpointAsk => ({ model, body })
const form = (fields: Record<string, string>, files: Record<string, string>, model = 'a-model'): EndpointAsk => ({
  model,
  body: fields,
  upload: uploadOf(files, fields),
})
const twoFiles = (...fields: string[]): EndpointAsk => {
  const files = fields.flatMap((field) => uploadOf({ [field]: 'x' }).files)
  return { model: 'a-model', body: {}, upload: { files, fields: [] } }
}
const refusal = (reason: RegExp) =>
  expect.objectContaining({ params: expect.objectContaining({ reason: expect.stringMatching(reason) }) })

const { images, speech, transcriptions, embeddings, moderations, rerank } = ENDPOINTS

describe('a request without a model', () => {
  test.each([
    ['images', 'dall-e-3'],
    ['image-edits', 'gpt-image-1'],
    ['image-variations', 'gpt-image-1'],
    ['speech', 'tts-1'],
    ['transcriptions', 'whisper-1'],
    ['translations', 'whisper-1'],
    ['moderations', 'omni-moderation-latest'],
  ] as const)('uses for %s one for %s', (operation, model) => {
    expect(ENDPOINTS[operation].defaultModel).toBe(model)
  })

  test('is rejected for embeddings and rankings', () => {
    expect([embeddings.defaultModel, rerank.defaultModel]).toEqual([undefined, undefined])
  })
})

describe('a request that no upstream could serve is rejected with the name of the field', () => {
  test.each<[title: string, operation: keyof typeof ENDPOINTS, ask: EndpointAsk, reason: RegExp]>([
    ['embeddings without input', 'embeddings', ask({}), /^field input is required/],
    ['embeddings of nothing', 'embeddings', ask({ input: [] }), /^field input is required/],
    ['moderations of an empty text', 'moderations', ask({ input: '' }), /^field input is required/],
    ['rankings without a query', 'rerank', ask({ documents: ['a'] }), /^field query is required/],
    ['rankings without documents', 'rerank', ask({ query: 'q', documents: [] }), /^field documents is required/],
    ['rankings of a text', 'rerank', ask({ query: 'q', documents: 'a' }), /^documents must be a list/],
    ['images without a prompt', 'images', ask({}), /^field prompt is required/],
    ['images of no size', 'images', ask({ prompt: 'p', size: 7 }), /^size must be a text/],
    ['images of a size that fills the log', 'images', ask({ prompt: 'p', size: '1'.repeat(33) }), /^size must not be/],
    ['no image', 'images', ask({ prompt: 'p', n: 0 }), /^n must be a whole number from 1 to 10/],
    ['too many images', 'images', ask({ prompt: 'p', n: 11 }), /^n must be/],
    ['half an image', 'images', ask({ prompt: 'p', n: 1.5 }), /^n must be/],
    ['a text for a number of images', 'images', ask({ prompt: 'p', n: '2' }), /^n must be/],
    ['too many images by another name', 'images', ask({ prompt: 'p', n: 1, batch_size: 100 }), /^batch_size must be/],
    [
      'a sequence without a number',
      'images',
      ask({ prompt: 'p', sequential_image_generation: 'auto' }),
      /max_images must/,
    ],
    ['a wrong stream', 'images', ask({ prompt: 'p', stream: 'yes' }), /^stream must be true or false/],
    ['speech without input', 'speech', ask({}), /^field input is required/],
    ['speech of a list', 'speech', ask({ input: ['a'] }), /^input must be a text/],
    ['a transcription without a file', 'transcriptions', ask({}), /^file is required/],
    ['a transcription of another field', 'transcriptions', form({}, { audio: 'x' }), /^file is required/],
    ['a transcription of an empty file', 'transcriptions', form({}, { file: '' }), /^file is empty/],
    ['a transcription of two files', 'transcriptions', twoFiles('file', 'file'), /^file: send one/],
    ['a transcription with another file', 'transcriptions', twoFiles('file', 'audio'), /^file: send one/],
    ['an edit without a picture', 'image-edits', form({ prompt: 'p' }, { mask: 'x' }), /^image is required/],
    ['an edit without a text', 'image-edits', form({}, { image: 'x' }), /^field prompt is required/],
    ['a variation without a picture', 'image-variations', ask({}), /^image is required/],
    ['too many variations', 'image-variations', form({ n: '11' }, { image: 'x' }), /^n must be/],
  ])('%s', (_, operation, request, reason) => {
    expect(() => ENDPOINTS[operation].check(request)).toThrow(refusal(reason))
  })

  test.each([
    ['dall-e-2', '1024x1792'],
    ['dall-e', '1024x1792'],
    ['dall-e-3', '512x512'],
    ['dall-e-3', 'auto'],
  ])('%s of size %s', (model, size) => {
    const reason = 'size must be one of 256x256, 512x512, or 1024x1024, dall-e-3 1024x1792 or 1792x1024'
    expect(() => images.check(ask({ prompt: 'p', size }, model))).toThrow(
      expect.objectContaining({ code: 'REQUEST_MALFORMED', params: { reason } }),
    )
  })
})

describe('a valid request is accepted', () => {
  test.each<[title: string, operation: keyof typeof ENDPOINTS, ask: EndpointAsk]>([
    ['token arrays', 'embeddings', ask({ input: [[1, 2], [3]] })],
    ['a picture to be moderated', 'moderations', ask({ input: [{ type: 'image_url', image_url: { url: 'u' } }] })],
    ['documents as objects', 'rerank', ask({ query: 'q', documents: [{ text: 'a' }] })],
    ['any size of another model', 'images', ask({ prompt: 'p', size: 'auto', n: null }, 'gpt-image-1')],
    ['a model called like a part of every object', 'images', ask({ prompt: 'p' }, 'constructor')],
    ['an edit of several pictures', 'image-edits', form({ prompt: 'p', n: '2' }, { 'image[]': 'x' }, 'gpt-image-1')],
    ['an edit in JSON', 'image-edits', ask({ prompt: 'p', images: [{ image_url: 'u' }] }, 'gpt-image-1')],
    ['a variation without a text', 'image-variations', form({}, { image: 'x' }, 'dall-e-2')],
    ['a recording to be streamed', 'transcriptions', form({ stream: 'true' }, { file: 'x' })],
  ])('%s', (_, operation, request) => {
    expect(() => ENDPOINTS[operation].check(request)).not.toThrow()
  })
})

test.each([
  ['listed', { data: [{}, {}] }, { made: 2, failed: 0 }],
  ['listed under another name', { images: [{}] }, { made: 1, failed: 0 }],
  ['listed under both names', { data: [{}], images: [{}] }, { made: 1, failed: 0 }],
  ['listed beside a failed one', { data: [{}, { error: {} }] }, { made: 1, failed: 1 }],
  ['reported', { data: [{}], usage: { generated_images: 3 } }, { made: 3, failed: 0 }],
  ['reported beyond belief', { data: [{}], usage: { generated_images: 1e9 } }, { made: 1, failed: 0 }],
  ['not reported', { usage: {} }, undefined],
])('pictures in a reply are counted if they are %s', (_, reply, pieces) => {
  expect(images.pieces?.(reply)).toEqual(pieces)
})

describe('the prompt', () => {
  test('of speech counts visible characters for tts models', () => {
    expect(speech.prompt(ask({ input: 'héllo 👋世界' }, 'tts-1-hd'))).toEqual({ texts: [], otherTokens: 9 })
  })

  test('of speech is the text for other models', () => {
    expect(speech.prompt(ask({ input: 'hello' }, 'gpt-4o-mini-tts'))).toEqual({ texts: ['hello'], otherTokens: 0 })
  })

  test('of a ranking is the query and every document', () => {
    const prompt = rerank.prompt(ask({ query: 'q', documents: ['a', { text: 'b' }] }))
    expect(prompt).toEqual({ texts: ['q', 'a', '{"text":"b"}'], otherTokens: 0 })
  })

  test('of embeddings counts tokens as tokens', () => {
    expect(embeddings.prompt(ask({ input: ['a', [1, 2, 3]] }))).toEqual({ texts: ['a'], otherTokens: 3 })
  })
})

describe('a reply is an event stream', () => {
  test.each([
    ['images', ask({ stream: true }), true],
    ['images', ask({}), false],
    ['speech', ask({ stream_format: 'sse' }), true],
    ['speech', ask({ stream_format: 'audio' }), false],
    ['transcriptions', form({ stream: 'True' }, {}), true],
    ['transcriptions', form({ stream: 'false' }, {}), false],
    ['embeddings', ask({ stream: true }), false],
  ] as const)('for %s of %j: %s', (operation, request, streams) => {
    expect(ENDPOINTS[operation].streams(request)).toBe(streams)
  })
})

describe('reported usage', () => {
  test.each([
    ['tokens of embeddings', embeddings, { usage: { prompt_tokens: 8, total_tokens: 8 } }, [8, 0, 0]],
    ['only a total', embeddings, { usage: { total_tokens: 12 } }, [12, 0, 0]],
    [
      'tokens of a ranking under meta',
      rerank,
      { meta: { tokens: { input_tokens: 30, output_tokens: 2 } } },
      [30, 2, 0],
    ],
    ['billed units of embeddings', embeddings, { meta: { billed_units: { input_tokens: 9 } } }, [9, 0, 0]],
    ['pictures', images, { usage: { input_tokens: 50, output_tokens: 4160, total_tokens: 4210 } }, [50, 4160, 0]],
    [
      'a finished picture of a stream',
      images,
      { type: 'image_generation.completed', usage: { input_tokens: 5, output_tokens: 272 } },
      [5, 272, 0],
    ],
    ['pictures in the words of chat', images, { usage: { prompt_tokens: 5, completion_tokens: 7 } }, [5, 7, 0]],
    ['speech', speech, { type: 'speech.audio.done', usage: { input_tokens: 14, output_tokens: 101 } }, [14, 101, 0]],
    [
      'a transcription in tokens',
      transcriptions,
      {
        text: 't',
        usage: {
          type: 'tokens',
          input_tokens: 14,
          output_tokens: 45,
          input_token_details: { text_tokens: 4, audio_tokens: 10 },
        },
      },
      [14, 45, 10],
    ],
    [
      'a transcription in seconds',
      transcriptions,
      { text: 't', usage: { type: 'duration', seconds: 61.2 } },
      [1033, 0, 0],
    ],
    ['the length beside the text', transcriptions, { text: 't', duration: 60 }, [1000, 0, 0]],
  ] as const)('%s', (_, endpoint, reply, [prompt, completion, audio]) => {
    expect(endpoint.reported(reply)).toMatchObject({
      promptTokens: prompt,
      completionTokens: completion,
      audioPromptTokens: audio,
    })
  })

  test.each([
    ['searches are no tokens', rerank, { meta: { billed_units: { search_units: 1 } } }],
    ['moderations have none', moderations, { results: [] }],
    ['zeros are none', embeddings, { usage: { prompt_tokens: 0, total_tokens: 0 } }],
    ['an absurd usage is ignored', images, { usage: { input_tokens: 1e12, output_tokens: 1 } }],
    ['negative counts are none', embeddings, { usage: { prompt_tokens: -5 } }],
    ['a piece of audio has none', speech, { type: 'speech.audio.delta', audio: 'AAAA' }],
    ['old programs write the length as a text', transcriptions, { text: 't', duration: '8.47' }],
  ] as const)('%s', (_, endpoint, reply) => expect(endpoint.reported(reply)).toBeUndefined())
})
