import { describe, expect, test } from 'vitest'
import type { Conversation, Part, Turn } from '../../../../../server/relay/conversation/conversation.ts'
import type { Json } from '../../../../../server/relay/json.ts'
import { contentBody } from '../../../../../server/relay/providers/gemini/content-body.ts'
import { GEMINI_SETTINGS, type GeminiSettings } from '../../../../../server/relay/providers/gemini/settings.ts'
import type { ProviderContext } from '../../../../../server/relay/providers/provider.ts'
import { contextWith } from '../../../../support/ask.ts'

const user = (...parts: (Part | string)[]): Turn => turn('user', parts)
const assistant = (...parts: (Part | string)[]): Turn => turn('assistant', parts)
const system = (...parts: (Part | string)[]): Turn => turn('system', parts)
function turn(role: Turn['role'], parts: (Part | string)[]): Turn {
  return { role, parts: parts.map((part) => (typeof part === 'string' ? { kind: 'text', text: part } : part)) }
}
const call = (id: string, name: string, args = '{}', signature?: string): Part => ({
  kind: 'call',
  id,
  name,
  arguments: args,
  ...(signature && { signature }),
})
const result = (callId: string, text: string, more: { isError?: boolean } = {}): Part => ({
  kind: 'result',
  callId,
  parts: [{ kind: 'text', text }],
  ...more,
})

async function bodyOf(
  conversation: Partial<Conversation>,
  {
    model = 'gemini-2.5-flash',
    version = 'v1beta',
    vertex = false,
    context = contextWith(),
    settings = GEMINI_SETTINGS,
  }: { model?: string; version?: string; vertex?: boolean; context?: ProviderContext; settings?: GeminiSettings } = {},
): Promise<Json> {
  const whole = { turns: [user('hi')], tools: [], extras: {}, ...conversation }
  return JSON.parse(
    JSON.stringify(await contentBody(whole, { model, version, isVertex: vertex, context: context, settings })),
  )
}
const contents = async (turns: Turn[], options?: Parameters<typeof bodyOf>[1]) =>
  (await bodyOf({ turns }, options)).contents
const config = async (conversation: Partial<Conversation>, options?: Parameters<typeof bodyOf>[1]) =>
  (await bodyOf(conversation, options)).generationConfig

test.each(['', 'not a url', 'file:///etc/passwd', ' https://x.example/a.png', 'data:image/png', '/a.png'])(
  'media at %j are rejected with a supported alternative',
  async (url) => {
    for (const kind of ['image', 'file'] as const) {
      await expect(bodyOf({ turns: [user({ kind, media: { url } })] })).rejects.toMatchObject({
        code: 'REQUEST_MALFORMED',
        params: { reason: `a message has media at ${JSON.stringify(url)}; send an http, https or data address` },
      })
    }
  },
)

describe('system instructions', () => {
  test('that lead are parts of the system instruction, in order', async () => {
    const body = await bodyOf({ turns: [system('Be brief.'), system('Be kind.'), user('hi')] })
    expect(body.systemInstruction).toEqual({ parts: [{ text: 'Be brief.' }, { text: 'Be kind.' }] })
    expect(body.contents).toEqual([{ role: 'user', parts: [{ text: 'hi' }] }])
  })

  test("that are later become user messages, never the model's", async () => {
    expect(await contents([user('hi'), assistant('hello'), system('Now in French.'), user('bye')])).toEqual([
      { role: 'user', parts: [{ text: 'hi' }] },
      { role: 'model', parts: [{ text: 'hello' }] },
      { role: 'user', parts: [{ text: 'Now in French.' }, { text: 'bye' }] },
    ])
  })

  test.each(['gemini-1.0-pro', 'gemini-pro', 'gemma-3-27b-it'])(
    'become a user message with a confirmation for %s',
    async (model) => {
      const body = await bodyOf({ turns: [system('Be brief.'), user('hi')] }, { model })
      expect(body.systemInstruction).toBeUndefined()
      expect(body.contents).toEqual([
        { role: 'user', parts: [{ text: 'Be brief.' }] },
        { role: 'model', parts: [{ text: 'Okay' }] },
        { role: 'user', parts: [{ text: 'hi' }] },
      ])
    },
  )

  test('alone become the prompt', async () => {
    expect(await contents([system('Tell a joke.')])).toEqual([{ role: 'user', parts: [{ text: 'Tell a joke.' }] }])
  })
})

describe('turns', () => {
  test('of one role in sequence become one content, and empty texts none', async () => {
    expect(await contents([user('a', ''), user('b'), assistant(''), assistant('c')])).toEqual([
      { role: 'user', parts: [{ text: 'a' }, { text: 'b' }] },
      { role: 'model', parts: [{ text: 'c' }] },
    ])
  })

  test('of only empty texts become one empty content', async () => {
    expect(await contents([user('')])).toEqual([{ role: 'user', parts: [{ text: '(empty)' }] }])
  })

  test('start with the user', async () => {
    expect(await contents([assistant('Welcome!'), user('hi')])).toMatchObject([
      { role: 'user', parts: [{ text: '...' }] },
      { role: 'model', parts: [{ text: 'Welcome!' }] },
      { role: 'user' },
    ])
  })

  test('are sent without reasoning, but with refusals', async () => {
    const turn = assistant({ kind: 'reasoning', text: 'hm', signature: 'foreign' }, { kind: 'refusal', text: 'No.' })
    expect(await contents([user('hi'), turn])).toMatchObject([{}, { role: 'model', parts: [{ text: 'No.' }] }])
  })
})

describe('calls and results', () => {
  test('a call follows the text, with its signature; its result is an object with the name of its call', async () => {
    const turns = [
      user('weather?'),
      assistant(call('c1', 'get_weather', '{"city":"Oslo"}', 'c2ln'), 'Checking.'),
      user(result('c1', '{"temp":3}')),
    ]
    expect(await contents(turns)).toEqual([
      { role: 'user', parts: [{ text: 'weather?' }] },
      {
        role: 'model',
        parts: [
          { text: 'Checking.' },
          { functionCall: { id: 'c1', name: 'get_weather', args: { city: 'Oslo' } }, thoughtSignature: 'c2ln' },
        ],
      },
      { role: 'user', parts: [{ functionResponse: { id: 'c1', name: 'get_weather', response: { temp: 3 } } }] },
    ])
  })

  test('all results of a turn are one content, as many and in the order of the calls', async () => {
    const turns = [
      user('go'),
      assistant(call('a', 'same'), call('b', 'same'), call('c', 'other')),
      user(result('c', 'three')),
      user(result('a', 'one'), 'and now?'),
    ]
    const [, , answers] = (await contents(turns)) as { parts: Json[] }[]
    expect(answers?.parts).toEqual([
      { functionResponse: { id: 'a', name: 'same', response: { output: 'one' } } },
      { functionResponse: { id: 'b', name: 'same', response: { error: '(no result)' } } },
      { functionResponse: { id: 'c', name: 'other', response: { output: 'three' } } },
      { text: 'and now?' },
    ])
  })

  test.each([
    ['{"a":1}', {}, { a: 1 }],
    ['[1,2]', {}, { output: '[1,2]' }],
    ['plain', {}, { output: 'plain' }],
    ['', {}, { output: '' }],
    ['{"a":1}', { isError: true }, { error: '{"a":1}' }],
  ])('the result %j %j is %j', async (text, more, response) => {
    const turns = [user('go'), assistant(call('a', 'f')), user(result('a', text, more))]
    expect(await contents(turns)).toMatchObject([{}, {}, { parts: [{ functionResponse: { response } }] }])
  })

  test('a picture in results follows them', async () => {
    const image: Part = { kind: 'image', media: { data: 'AAAA', mime: 'image/png' } }
    const answer: Part = { kind: 'result', callId: 'a', parts: [{ kind: 'text', text: 'see' }, image] }
    const [, , answers] = (await contents([
      user('go'),
      assistant(call('a', 'f'), call('b', 'g')),
      user(answer, result('b', 'done')),
    ])) as { parts: Json[] }[]
    expect(answers?.parts.map((part) => Object.keys(part)[0])).toEqual([
      'functionResponse',
      'functionResponse',
      'inlineData',
    ])
  })

  test.each([
    ['', {}],
    ['{"a":1', { arguments: '{"a":1' }],
    ['[1]', { arguments: '[1]' }],
  ])('arguments %j are the object %j', async (args, wanted) => {
    const turns = [user('go'), assistant(call('a', 'f', args))]
    expect((await contents(turns)) as Json[]).toMatchObject([{}, { parts: [{ functionCall: { args: wanted } }] }, {}])
  })

  test('Vertex AI and v1 of the API get no ids', async () => {
    const turns = [user('go'), assistant(call('a', 'f')), user(result('a', 'x'))]
    for (const options of [{ vertex: true, version: 'v1beta1' }, { version: 'v1' }]) {
      expect(JSON.stringify(await contents(turns, options))).not.toContain('"id"')
    }
  })
})

describe('signatures', () => {
  const turns = [user('go'), assistant(call('a', 'f'), call('b', 'g')), user(result('a', 'x'), result('b', 'y'))]

  test('of calls lost by the client are restored from the cache', async () => {
    const context = contextWith()
    context.signatures.set('a', 'kept')
    const [, made] = (await contents(turns, { model: 'gemini-3-pro-preview', context })) as { parts: Json[] }[]
    expect(made?.parts.map(({ thoughtSignature }) => thoughtSignature)).toEqual(['kept', undefined])
  })

  test('that are missing are replaced by the documented bypass, for the first call of a turn and models that require one', async () => {
    const [, made] = (await contents(turns, { model: 'gemini-3-flash' })) as { parts: Json[] }[]
    expect(made?.parts.map(({ thoughtSignature }) => thoughtSignature)).toEqual([
      'skip_thought_signature_validator',
      undefined,
    ])
    expect(JSON.stringify(await contents(turns, { model: 'gemini-2.5-pro' }))).not.toContain('thoughtSignature')
  })
})

describe('media', () => {
  test('web addresses are downloaded once each; addresses that Google reads are kept', async () => {
    const requests: string[] = []
    const context = contextWith({
      download: async (url) => {
        requests.push(url)
        return { data: Buffer.from('png'), mime: 'image/png' }
      },
    })
    const image = (url: string): Part => ({ kind: 'image', media: { url } })
    const parts = [image('https://x.example/a.png'), image('https://x.example/a.png'), image('gs://bucket/b.jpg')]
    const film: Part = { kind: 'file', media: { url: 'https://www.youtube.com/watch?v=1' } }
    const [content] = (await contents([user(...parts, film)], { context })) as { parts: Json[] }[]
    const inline = { inlineData: { mimeType: 'image/png', data: Buffer.from('png').toString('base64') } }
    expect(requests).toEqual(['https://x.example/a.png'])
    expect(content?.parts).toEqual([
      inline,
      inline,
      { fileData: { mimeType: 'image/jpeg', fileUri: 'gs://bucket/b.jpg' } },
      { fileData: { fileUri: 'https://www.youtube.com/watch?v=1' } },
    ])
  })

  test.each([
    ['wav', 'audio/wav'],
    ['mp3', 'audio/mp3'],
    ['flac', 'audio/flac'],
    ['opus', 'audio/ogg'],
    ['pcm16', 'audio/pcm'],
  ])('%s is %s', async (format, mimeType) => {
    const sound: Part = { kind: 'audio', data: 'AAAA', format }
    expect(await contents([user(sound)])).toMatchObject([{ parts: [{ inlineData: { mimeType, data: 'AAAA' } }] }])
  })

  test('a PDF is inline data, a text document is text', async () => {
    const pdf: Part = { kind: 'file', media: { data: 'JVBE', mime: 'application/pdf' }, name: 'a.pdf' }
    const note: Part = { kind: 'file', media: { text: 'note' } }
    expect(await contents([user(pdf, note)])).toMatchObject([
      { parts: [{ inlineData: { mimeType: 'application/pdf', data: 'JVBE' } }, { text: 'note' }] },
    ])
  })

  test.each([
    [{ kind: 'file', media: { id: 'file-1' } } as Part, /file_id/],
    [{ kind: 'other', part: { type: 'video_url' } } as Part, /video_url/],
  ])('unsupported ones are rejected by name', async (part, reason) => {
    await expect(bodyOf({ turns: [user(part)] })).rejects.toMatchObject({
      code: 'REQUEST_MALFORMED',
      params: { reason: expect.stringMatching(reason) },
    })
  })

  test('more pictures than the maximum are rejected', async () => {
    const image: Part = { kind: 'image', media: { data: 'AAAA', mime: 'image/png' } }
    const turns = [user(...Array<Part>(17).fill(image))]
    await expect(bodyOf({ turns })).rejects.toMatchObject({ code: 'REQUEST_MALFORMED' })
    await expect(bodyOf({ turns }, { settings: { ...GEMINI_SETTINGS, imagesMax: 0 } })).resolves.toBeDefined()
  })
})

describe('generationConfig', () => {
  test.each<[Partial<Conversation>, Json]>([
    [{ temperature: 0 }, { temperature: 0 }],
    [{ topP: 0 }, { topP: 0 }],
    [{ topK: 3 }, { topK: 3 }],
    [{ seed: 0 }, { seed: 0 }],
    [{ choices: 2 }, { candidateCount: 2 }],
    [{ maxTokens: 9 }, { maxOutputTokens: 9 }],
    [
      { presencePenalty: 0, frequencyPenalty: -1 },
      { presencePenalty: 0, frequencyPenalty: -1 },
    ],
    [
      { logprobs: true, topLogprobs: 2 },
      { responseLogprobs: true, logprobs: 2 },
    ],
    [{ stop: ['', 'a', 'b', 'c', 'd', 'e', 'f'] }, { stopSequences: ['a', 'b', 'c', 'd', 'e'] }],
    [{ format: { kind: 'json' } }, { responseMimeType: 'application/json' }],
    [{ modalities: ['text', 'image'] }, { responseModalities: ['TEXT', 'IMAGE'] }],
    [
      { extras: { image_config: { aspect_ratio: '16:9', image_size: '2K' } } },
      { imageConfig: { aspectRatio: '16:9', imageSize: '2K' } },
    ],
  ])('%j is %j', async (conversation, wanted) => {
    expect(await config(conversation)).toEqual(wanted)
  })

  test('a schema is sent as JSON Schema, and simplified for models and versions without it', async () => {
    const format = { kind: 'schema', name: 'x', schema: { type: 'object', properties: { a: { const: 'b' } } } } as const
    expect(await config({ format })).toEqual({
      responseMimeType: 'application/json',
      responseJsonSchema: format.schema,
    })
    const cleaned = {
      responseMimeType: 'application/json',
      responseSchema: { type: 'OBJECT', properties: { a: { type: 'STRING', enum: ['b'] } } },
    }
    expect(await config({ format }, { version: 'v1' })).toEqual(cleaned)
    expect(await config({ format }, { model: 'gemini-1.5-pro' })).toEqual(cleaned)
  })

  test('a format together with a search is rejected for models that do not support both', async () => {
    const both = { format: { kind: 'json' }, webSearch: {} } as const
    await expect(bodyOf(both)).rejects.toMatchObject({ code: 'REQUEST_MALFORMED' })
    await expect(bodyOf(both, { model: 'gemini-3-pro-preview' })).resolves.toBeDefined()
  })

  test('image models get the image modality', async () => {
    expect(await config({}, { model: 'gemini-2.5-flash-image' })).toEqual({ responseModalities: ['TEXT', 'IMAGE'] })
  })

  test("fields of Google's own compatible endpoint are merged", async () => {
    const google = {
      thinking_config: { thinking_budget: 0, include_thoughts: true },
      cached_content: 'cachedContents/1',
    }
    const body = await bodyOf({ extras: { extra_body: { google } } })
    expect(body.generationConfig).toEqual({ thinkingConfig: { thinkingBudget: 0, includeThoughts: true } })
    expect(body.cachedContent).toBe('cachedContents/1')
  })
})

describe('thinking settings', () => {
  test.each([
    ['gemini-2.5-flash', { effort: 'none' }, { thinkingBudget: 0 }],
    ['gemini-2.5-pro', { effort: 'none' }, { thinkingBudget: 128 }],
    ['gemini-2.5-flash', { effort: 'minimal' }, { thinkingBudget: 512, includeThoughts: true }],
    ['gemini-2.5-flash', { effort: 'low' }, { thinkingBudget: 1024, includeThoughts: true }],
    ['gemini-2.5-flash', { effort: 'medium' }, { thinkingBudget: 8192, includeThoughts: true }],
    ['gemini-2.5-flash', { effort: 'high' }, { thinkingBudget: 24_576, includeThoughts: true }],
    ['gemini-2.5-pro', { effort: 'max' }, { thinkingBudget: 32_768, includeThoughts: true }],
    ['gemini-2.5-flash', { effort: 'max' }, { thinkingBudget: 24_576, includeThoughts: true }],
    ['gemini-2.5-flash', { effort: 'high', visible: false }, { thinkingBudget: 24_576 }],
    ['gemini-2.5-flash', { budget: -1, visible: true }, { thinkingBudget: -1, includeThoughts: true }],
    ['gemini-3-flash', { effort: 'none' }, { thinkingLevel: 'MINIMAL' }],
    ['gemini-3-pro-preview', { effort: 'none' }, { thinkingLevel: 'LOW' }],
    ['gemini-3-flash', { effort: 'medium' }, { thinkingLevel: 'MEDIUM', includeThoughts: true }],
    ['gemini-3-pro-preview', { effort: 'xhigh' }, { thinkingLevel: 'HIGH', includeThoughts: true }],
    ['gemini-3-pro-preview', { budget: 2048 }, { thinkingLevel: 'MEDIUM', includeThoughts: true }],
    ['gemini-3-pro-preview', { effort: 'low', budget: 9999 }, { thinkingLevel: 'LOW', includeThoughts: true }],
  ] as const)('of %s with %j: %j', async (model, reasoning, thinkingConfig) => {
    expect(await config({ reasoning }, { model })).toEqual({ thinkingConfig })
  })

  test('are not sent to models without them', async () => {
    expect(await config({ reasoning: { effort: 'high' } }, { model: 'gemini-2.0-flash' })).toBeUndefined()
  })
})

describe('tools', () => {
  const weather = {
    name: 'get_weather',
    description: 'Weather',
    parameters: { type: 'object', properties: { title: { type: 'string' } } },
    strict: true,
  }

  test('all functions are in one element, those without parameters have none', async () => {
    const empty = { name: 'now', parameters: { type: 'object', properties: {} } }
    const body = await bodyOf({ tools: [weather, empty, { name: 'bare' }] })
    expect(body.tools).toEqual([
      {
        functionDeclarations: [
          { name: 'get_weather', description: 'Weather', parametersJsonSchema: weather.parameters },
          { name: 'now' },
          { name: 'bare' },
        ],
      },
    ])
  })

  test('old versions get simplified parameters, and keep a property named title', async () => {
    const body = await bodyOf({ tools: [weather] }, { version: 'v1' })
    expect(body.tools).toMatchObject([
      { functionDeclarations: [{ parameters: { type: 'OBJECT', properties: { title: { type: 'STRING' } } } }] },
    ])
  })

  test('functions named like built-in tools become those tools', async () => {
    const body = await bodyOf({
      tools: [weather, { name: 'googleSearch' }, { name: 'codeExecution' }, { name: 'urlContext' }],
    })
    expect(body.tools).toMatchObject([
      { functionDeclarations: [{}] },
      { googleSearch: {} },
      { codeExecution: {} },
      { urlContext: {} },
    ])
  })

  test('a web search is a Google search', async () => {
    expect((await bodyOf({ webSearch: { search_context_size: 'low' } })).tools).toEqual([{ googleSearch: {} }])
  })

  test('a tool of another vendor is rejected by name', async () => {
    const tools = [{ name: 'computer_use', vendor: { dialect: 'openai-responses', tool: {} } }]
    await expect(bodyOf({ tools })).rejects.toMatchObject({
      code: 'REQUEST_MALFORMED',
      params: { reason: expect.stringContaining('computer_use') },
    })
  })

  test('a tool with free text becomes a function with one text', async () => {
    const body = await bodyOf({ tools: [{ name: 'patch', custom: {} }] })
    expect(body.tools).toMatchObject([
      { functionDeclarations: [{ parametersJsonSchema: { properties: { input: { type: 'string' } } } }] },
    ])
  })

  test.each([
    [{ mode: 'auto' }, { mode: 'AUTO' }],
    [{ mode: 'none' }, { mode: 'NONE' }],
    [{ mode: 'required' }, { mode: 'ANY' }],
    [
      { mode: 'required', names: ['get_weather'] },
      { mode: 'ANY', allowedFunctionNames: ['get_weather'] },
    ],
  ] as const)('the choice %j is %j', async (toolChoice, functionCallingConfig) => {
    expect((await bodyOf({ tools: [weather], toolChoice })).toolConfig).toEqual({ functionCallingConfig })
  })

  test('"these or none" offers only these', async () => {
    const body = await bodyOf({ tools: [weather, { name: 'other' }], toolChoice: { mode: 'auto', names: ['other'] } })
    expect(body.tools).toEqual([{ functionDeclarations: [{ name: 'other' }] }])
    expect(body.toolConfig).toEqual({ functionCallingConfig: { mode: 'AUTO' } })
  })

  test('a choice without tools is dropped', async () => {
    expect(await bodyOf({ toolChoice: { mode: 'required' } })).not.toHaveProperty('toolConfig')
  })
})

describe('safety', () => {
  const thresholds = async (options: Parameters<typeof bodyOf>[1]) => {
    const { safetySettings } = await bodyOf({}, options)
    return (safetySettings as { threshold: string }[]).map(({ threshold }) => threshold)
  }

  test('nothing is blocked unless the operator sets it, in five categories', async () => {
    expect(await thresholds({})).toEqual(['OFF', 'OFF', 'OFF', 'OFF', 'BLOCK_NONE'])
    expect(await thresholds({ model: 'gemini-1.5-pro' })).toEqual(Array(5).fill('BLOCK_NONE'))
    const settings = { ...GEMINI_SETTINGS, safety: 'BLOCK_ONLY_HIGH' }
    expect(await thresholds({ settings })).toEqual(Array(5).fill('BLOCK_ONLY_HIGH'))
  })
})
