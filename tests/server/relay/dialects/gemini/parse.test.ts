import { describe, expect, test } from 'vitest'
import { geminiDialect } from '../../../../../server/relay/dialects/gemini/dialect.ts'
import type { Json } from '../../../../../server/relay/json.ts'

const turnOf = (parts: Json[], role = 'user') => geminiDialect.parse({ contents: [{ role, parts }] }).turns[0]
const partOf = (part: Json, role?: string) => turnOf([part], role)?.parts[0]
const config = (generationConfig: Json) =>
  geminiDialect.parse({ contents: [{ parts: [{ text: 'hi' }] }], generationConfig })

describe('contents', () => {
  test.each([
    [[{ role: 'user', parts: [{ text: 'hi' }] }], 'user'],
    [{ parts: [{ text: 'hi' }] }, 'user'],
    [[{ parts: { text: 'hi' } }], 'user'],
    [['hi'], 'user'],
    [[{ role: 'model', parts: [{ text: 'hi' }] }], 'assistant'],
    [[{ role: 'function', parts: [{ text: 'hi' }] }], 'user'],
  ])('%j has the role %s', (contents, role) => {
    expect(geminiDialect.parse({ contents }).turns).toEqual([{ role, parts: [{ kind: 'text', text: 'hi' }] }])
  })

  test.each([
    ['systemInstruction', { parts: [{ text: 'a' }, { text: 'b' }] }],
    ['system_instruction', { parts: [{ text: 'a' }, { text: 'b' }] }],
    ['systemInstruction', 'a\nb'],
    ['systemInstruction', [{ text: 'a' }, { text: 'b' }]],
  ])('%s as %j comes first', (name, value) => {
    const { turns } = geminiDialect.parse({ contents: [{ parts: [{ text: 'hi' }] }], [name]: value })
    expect(turns).toMatchObject([{ role: 'system', parts: [{ kind: 'text', text: 'a\nb' }] }, { role: 'user' }])
  })

  test.each([
    [{ inlineData: { mimeType: 'image/jpg', data: 'A' } }, { kind: 'image', media: { data: 'A', mime: 'image/jpeg' } }],
    [
      { inline_data: { mime_type: 'image/png', data: 'A' } },
      { kind: 'image', media: { data: 'A', mime: 'image/png' } },
    ],
    [{ inlineData: { mimeType: 'audio/mpeg', data: 'A' } }, { kind: 'audio', format: 'mp3', data: 'A' }],
    [{ inlineData: { mimeType: 'audio/aac', data: 'A' } }, { kind: 'audio', format: 'aac', data: 'A' }],
    [
      { inlineData: { mimeType: 'application/pdf', data: 'A' } },
      { kind: 'file', media: { data: 'A', mime: 'application/pdf' } },
    ],
    [
      { fileData: { mimeType: 'image/png', fileUri: 'gs://b/a' } },
      { kind: 'image', media: { url: 'gs://b/a', mime: 'image/png' } },
    ],
    [{ file_data: { file_uri: 'https://x/a.PNG?b' } }, { kind: 'image', media: { url: 'https://x/a.PNG?b' } }],
    [{ fileData: { fileUri: 'https://x/a.pdf' } }, { kind: 'file', media: { url: 'https://x/a.pdf' } }],
    [
      { text: 'hm', thought: true },
      { kind: 'reasoning', text: 'hm' },
    ],
    [
      { text: 'hm', thought: true, thought_signature: 's' },
      { kind: 'reasoning', text: 'hm', signature: 's' },
    ],
    [{ executableCode: { language: 'PYTHON', code: 'x' } }, { kind: 'text', text: '```python\nx\n```\n' }],
    [{ code_execution_result: { output: 'y' } }, { kind: 'text', text: '```\ny\n```\n' }],
  ])('%j is %j', (part, wanted) => {
    expect(partOf(part)).toEqual(wanted)
  })

  test('an empty part is dropped, an invalid one is rejected by its position', () => {
    expect(turnOf([{ thoughtSignature: 's' }, {}])?.parts).toEqual([])
    expect(() => turnOf([{ text: 'a' }, { hologram: {} }])).toThrow(/contents\[0\]\.parts\[1\]/)
  })
})

describe('calls and results', () => {
  test('ids are deterministic, and results match their calls by order', () => {
    const contents = [
      {
        role: 'model',
        parts: [
          { functionCall: { name: 'f', args: { a: 1 } }, thoughtSignature: 's' },
          { functionCall: { name: 'f' } },
          { function_call: { id: 'own', name: 'g' } },
        ],
      },
      {
        role: 'function',
        parts: [
          { functionResponse: { name: 'f', response: { output: 'one' } } },
          { functionResponse: { name: 'f', response: { output: 'two' } } },
          { function_response: { id: 'own', name: 'g', response: {} } },
        ],
      },
    ]
    const [made, given] = geminiDialect.parse({ contents }).turns
    expect(made?.parts).toEqual([
      { kind: 'call', id: 'call_f_0', name: 'f', arguments: '{"a":1}', signature: 's' },
      { kind: 'call', id: 'call_f_1', name: 'f', arguments: '{}' },
      { kind: 'call', id: 'own', name: 'g', arguments: '{}' },
    ])
    expect(given?.parts).toMatchObject([{ callId: 'call_f_0' }, { callId: 'call_f_1' }, { callId: 'own' }])
  })

  test.each([
    [{ output: 'plain' }, 'plain', undefined],
    [{ result: 'plain' }, 'plain', undefined],
    [{ error: 'failed' }, 'failed', true],
    [{ output: { a: 1 } }, '{"output":{"a":1}}', undefined],
    [{ result: 'x', more: 1 }, '{"result":"x","more":1}', undefined],
    [{}, '{}', undefined],
  ])('the response %j is %j', (response, text, isError) => {
    const result = partOf({ functionResponse: { name: 'f', response } })
    expect(result).toMatchObject({ kind: 'result', parts: [{ kind: 'text', text }] })
    expect((result as { isError?: boolean }).isError).toBe(isError)
  })
})

describe('generationConfig', () => {
  test.each([
    [{ temperature: 0 }, { temperature: 0 }],
    [{ topP: 0.5 }, { topP: 0.5 }],
    [{ top_p: 0.5 }, { topP: 0.5 }],
    [{ topK: 3 }, { topK: 3 }],
    [{ seed: 0 }, { seed: 0 }],
    [{ presencePenalty: 0 }, { presencePenalty: 0 }],
    [{ frequency_penalty: 1 }, { frequencyPenalty: 1 }],
    [{ candidateCount: 2 }, { choices: 2 }],
    [{ stopSequences: ['a'] }, { stop: ['a'] }],
    [{ max_output_tokens: 9 }, { maxTokens: 9 }],
    [
      { responseLogprobs: true, logprobs: 3 },
      { logprobs: true, topLogprobs: 3 },
    ],
    [{ responseMimeType: 'application/json' }, { format: { kind: 'json' } }],
    [{ responseModalities: ['TEXT', 'IMAGE'] }, { modalities: ['text', 'image'] }],
    [{ thinkingConfig: { thinkingBudget: 0 } }, { reasoning: { budget: 0 } }],
    [
      { thinking_config: { thinking_budget: -1, include_thoughts: true } },
      { reasoning: { budget: -1, visible: true } },
    ],
    [{ thinkingConfig: { thinkingLevel: 'HIGH' } }, { reasoning: { effort: 'high' } }],
    [{ imageConfig: { aspectRatio: '1:1' } }, { extras: { image_config: { aspect_ratio: '1:1' } } }],
    [
      {
        responseMimeType: 'application/json',
        responseSchema: { type: 'OBJECT', properties: { title: { type: 'STRING', nullable: true } } },
      },
      {
        format: {
          kind: 'schema',
          name: 'response',
          schema: { type: 'object', properties: { title: { type: ['string', 'null'] } } },
        },
      },
    ],
    [
      { responseMimeType: 'application/json', responseJsonSchema: { type: 'object' } },
      { format: { kind: 'schema', name: 'response', schema: { type: 'object' } } },
    ],
  ])('%j is %j', (given, wanted) => {
    expect(config(given)).toMatchObject(wanted)
  })

  test('Gemini-only fields are dropped', () => {
    const body = {
      contents: [{ parts: [{ text: 'hi' }] }],
      safetySettings: [],
      labels: {},
      serviceTier: 'x',
    }
    expect(Object.keys(geminiDialect.parse(body)).sort()).toEqual(['extras', 'tools', 'turns'])
  })
})

describe('tools', () => {
  const tools = (...elements: Json[]) =>
    geminiDialect.parse({ contents: [{ parts: [{ text: 'hi' }] }], tools: elements })

  test('functions of all elements are tools, with JSON Schema', () => {
    const schema = {
      type: 'OBJECT',
      properties: { type: { type: 'ARRAY', items: { type: 'INTEGER' }, minItems: '1' } },
    }
    const standard = { type: 'object', properties: { A: { type: 'string' } } }
    const { tools: read } = tools(
      { functionDeclarations: [{ name: 'f', description: 'd', parameters: schema }] },
      { function_declarations: [{ name: 'g', parametersJsonSchema: standard }, { name: 'h' }] },
    )
    expect(read).toEqual([
      {
        name: 'f',
        description: 'd',
        parameters: {
          type: 'object',
          properties: { type: { type: 'array', items: { type: 'integer' }, minItems: 1 } },
        },
      },
      { name: 'g', parameters: standard },
      { name: 'h' },
    ])
  })

  test.each(['googleSearch', 'google_search', 'googleSearchRetrieval'])('%s is a web search', (name) => {
    expect(tools({ [name]: {} })).toMatchObject({ tools: [], webSearch: {} })
  })

  test.each(['codeExecution', 'url_context', 'googleMaps', 'computerUse'])('%s runs only at Google', (name) => {
    expect(() => tools({ googleSearch: {} }, { [name]: {} })).toThrow(
      expect.objectContaining({ params: { reason: expect.stringContaining(`tools[1].${name} `) } }),
    )
  })

  test('an unknown mode is rejected, and so is content stored at Google', () => {
    const contents = [{ parts: [{ text: 'hi' }] }]
    const reason = (words: string) => expect.objectContaining({ params: { reason: expect.stringContaining(words) } })
    const toolConfig = { functionCallingConfig: { mode: 'SOME' } }
    expect(() => geminiDialect.parse({ contents, toolConfig })).toThrow(reason('functionCallingConfig.mode "SOME"'))
    expect(() => geminiDialect.parse({ contents, cachedContent: 'c' })).toThrow(reason('cachedContent'))
  })

  test.each([
    [{ mode: 'AUTO' }, { mode: 'auto' }],
    [{ mode: 'NONE' }, { mode: 'none' }],
    [{ mode: 'ANY' }, { mode: 'required' }],
    [{ mode: 'VALIDATED' }, { mode: 'auto' }],
    [
      { mode: 'ANY', allowedFunctionNames: ['f'] },
      { mode: 'required', names: ['f'] },
    ],
    [
      { mode: 'any', allowed_function_names: ['f', 'g'] },
      { mode: 'required', names: ['f', 'g'] },
    ],
  ])('the choice %j is %j', (functionCallingConfig, toolChoice) => {
    const body = { contents: [{ parts: [{ text: 'hi' }] }], toolConfig: { functionCallingConfig } }
    expect(geminiDialect.parse(body).toolChoice).toEqual(toolChoice)
    const snake = { contents: body.contents, tool_config: { function_calling_config: functionCallingConfig } }
    expect(geminiDialect.parse(snake).toolChoice).toEqual(toolChoice)
  })
})

describe('before parsing a request', () => {
  test.each([
    [{}, /contents/],
    [{ contents: [] }, /contents/],
    [{ contents: [{}], generationConfig: 'x' }, /generationConfig/],
    [{ contents: [{}], generationConfig: { maxOutputTokens: -1 } }, /maxOutputTokens/],
    [{ contents: [{}], generation_config: { max_output_tokens: 'x' } }, /max_output_tokens/],
    [
      { contents: [{}], generationConfig: {}, generation_config: { maxOutputTokens: 9 } },
      /generation_config are the same/,
    ],
    [
      { contents: [{}], generationConfig: { maxOutputTokens: 1, max_output_tokens: 9 } },
      /max_output_tokens are the same/,
    ],
    [{ contents: [{ parts: [{ inlineData: {}, inline_data: {} }] }] }, /inline_data are the same/],
    [{ contents: [{}], generation_config: { candidate_count: 129 } }, /candidate_count must be at most 128/],
  ])('%j is rejected by its field', (body, reason) => {
    expect(() => geminiDialect.check(body)).toThrow(reason)
  })

  test("a caller's function may have any names", () => {
    const args = { userName: 'a', user_name: 'b' }
    const parts = [{ functionCall: { name: 'f', args } }, { functionResponse: { name: 'f', response: args } }]
    const functionDeclarations = [{ name: 'f', parameters: { type: 'OBJECT', properties: args } }]
    expect(() => geminiDialect.check({ contents: [{ parts }], tools: [{ functionDeclarations }] })).not.toThrow()
  })

  test('its limit is at least its thinking budget', () => {
    const config = (thinkingBudget: number) => ({
      generationConfig: { maxOutputTokens: 7, thinkingConfig: { thinkingBudget } },
    })
    expect(geminiDialect.limit(config(9000))).toEqual({ tokens: 9000, choices: 1 })
    expect(geminiDialect.limit(config(-1))).toEqual({ tokens: 7, choices: 1 })
  })

  test('its limit and its size are known', () => {
    const body = {
      system_instruction: 'Be brief.',
      contents: [{ parts: [{ text: 'hello' }, { inline_data: { mime_type: 'image/png', data: 'A'.repeat(1e6) } }] }],
      generation_config: { max_output_tokens: 7, candidate_count: 2 },
    }
    expect(() => geminiDialect.check(body)).not.toThrow()
    expect(geminiDialect.limit(body)).toEqual({ tokens: 7, choices: 2 })
    expect(geminiDialect.limit({})).toEqual({ tokens: undefined, choices: 1 })
    const { texts, otherTokens } = geminiDialect.prompt(body)
    expect(texts).toEqual(['Be brief.', 'hello'])
    // A picture counts by rule, not by its letters.
    expect(otherTokens).toBeLessThan(2000)
  })

  test.each(['responseSchema', 'responseJsonSchema', '_responseJsonSchema'])('%s is part of the prompt', (name) => {
    const schema = { type: 'object', properties: { title: { type: 'string' } } }
    expect(geminiDialect.prompt({ contents: [], generationConfig: { [name]: schema } }).texts).toEqual([
      JSON.stringify(schema),
    ])
  })

  test('a system prompt is added if there is none, or prepended', () => {
    const bare = { contents: [{}] }
    const request = { contents: [{}], system_instruction: { parts: [{ text: 'own' }] } }
    expect(geminiDialect.withSystemPrompt(bare, 'ours', { before: false }).systemInstruction).toEqual({
      parts: [{ text: 'ours' }],
    })
    expect(geminiDialect.withSystemPrompt(request, 'ours', { before: false })).toBe(request)
    const both = geminiDialect.withSystemPrompt(request, 'ours', { before: true })
    expect(both.systemInstruction).toEqual({ parts: [{ text: 'ours' }, { text: 'own' }] })
    expect(both).not.toHaveProperty('system_instruction')
  })
})
