import { describe, expect, test } from 'vitest'
import { extractText } from '../../../server/relay/admission/extract-text.ts'

const WORD = 'forbidden'
const PICTURE = `data:image/png;base64,${'iVBORw0KGgo'.repeat(20)}`
const finds = (body: Record<string, unknown>) => extractText(body).some((text) => text.includes(WORD))
const message = (content: unknown, more: object = {}) => ({ messages: [{ role: 'user', content, ...more }] })

describe('a text is checked', () => {
  const schema = { type: 'object', properties: { city: { type: 'string', description: WORD } } }
  const inSchema = (parameters: object) => ({ tools: [{ type: 'function', function: { name: 'f', parameters } }] })
  const call = (args: string) => message(null, { tool_calls: [{ function: { name: 'f', arguments: args } }] })
  /** With so many backslashes each. */
  const escapes = (depth: number) =>
    Array.from(WORD, (letter) => `${'\\'.repeat(depth)}u00${letter.charCodeAt(0).toString(16)}`).join('')
  const named = { type: 'object', properties: { [WORD]: { type: 'string' } } }
  test.each<[string, Record<string, unknown>]>([
    ['in a message', message(WORD)],
    [
      'in any message, of any role',
      {
        messages: [
          { role: 'system', content: '' },
          { role: 'x', content: WORD },
        ],
      },
    ],
    ['in a part', message([{ type: 'text', text: WORD }])],
    [
      'after a picture',
      message([
        { type: 'image_url', image_url: { url: PICTURE } },
        { type: 'text', text: WORD },
      ]),
    ],
    ['in a name', message('', { name: WORD })],
    ['in a refusal', message([{ type: 'refusal', refusal: WORD }])],
    ['in reasoning', message('', { reasoning_content: WORD })],
    ['in a call', message(null, { tool_calls: [{ id: '1', function: { name: 'f', arguments: `{"a":"${WORD}"}` } }] })],
    [
      'in a call, as escapes',
      message(null, { tool_calls: [{ function: { name: 'f', arguments: '{"a":"\\u0066orbi\\u0064den"}' } }] }),
    ],
    ['in a tool', { tools: [{ type: 'function', function: { name: 'f', description: WORD } }] }],
    ['in the name of a tool', { tools: [{ type: 'function', function: { name: WORD } }] }],
    ['in what a tool takes', { tools: [{ function: { name: 'f', parameters: schema } }] }],
    ['in the name of what a tool takes', { tools: [{ function: { name: 'f', parameters: named } }] }],
    ['in a prediction', { prediction: { type: 'content', content: WORD } }],
    ['in a format', { response_format: { type: 'json_schema', json_schema: { schema } } }],
    ['in a completion prompt', { prompt: WORD }],
    ['in one of several prompts', { prompt: ['a', WORD] }],
    ['in a suffix', { prompt: 'a', suffix: WORD }],
    ['in an input', { input: WORD }],
    ['in one of several inputs', { input: ['a', WORD] }],
    ['in an item', { input: [{ role: 'user', content: [{ type: 'input_text', text: WORD }] }] }],
    ['in the output of a call', { input: [{ type: 'function_call_output', call_id: '1', output: WORD }] }],
    ['in a custom call', { input: [{ type: 'custom_tool_call', name: 'f', input: WORD }] }],
    ['in a summary', { input: [{ type: 'reasoning', summary: [{ type: 'summary_text', text: WORD }] }] }],
    ['in instructions', { instructions: WORD, input: 'a' }],
    ['in variables of a stored prompt', { prompt: { id: 'pmpt_1', variables: { city: WORD } } }],
    ['in a system prompt', { system: WORD }],
    ['in a part of a system prompt', { system: [{ type: 'text', text: WORD }] }],
    ['in a tool_use', message([{ type: 'tool_use', id: '1', name: 'f', input: { type: WORD } }])],
    ['in a name in a tool_use', message([{ type: 'tool_use', id: '1', name: 'f', input: { [WORD]: 1 } }])],
    ['in a tool_result', message([{ type: 'tool_result', tool_use_id: '1', content: [{ type: 'text', text: WORD }] }])],
    ['in a document of text', message([{ type: 'document', source: { type: 'text', data: WORD } }])],
    [
      'in a document of text that looks like something else',
      message([{ type: 'document', source: { type: 'text', data: `https://${'a'.repeat(80)} ${WORD}` } }]),
    ],
    [
      'in the title of a document',
      message([{ type: 'document', title: WORD, source: { type: 'url', url: 'https://a' } }]),
    ],
    ['in a content', { contents: [{ role: 'user', parts: [{ text: WORD }] }] }],
    ['in a lone content', { contents: { parts: { text: WORD } } }],
    ['in an instruction', { systemInstruction: { parts: [{ text: WORD }] } }],
    ['in an instruction in snake_case', { system_instruction: WORD }],
    ['in a functionCall', { contents: [{ parts: [{ functionCall: { name: 'f', args: { id: [WORD] } } }] }] }],
    ['in a functionResponse', { contents: [{ parts: [{ functionResponse: { name: 'f', response: { id: WORD } } }] }] }],
    ['in code', { contents: [{ parts: [{ executableCode: { language: 'PYTHON', code: WORD } }] }] }],
    ['in a query', { query: WORD, documents: [] }],
    ['in a document to rank', { query: 'a', documents: ['b', WORD] }],
    ['in an object to rank', { query: 'a', documents: [{ text: WORD }] }],
    ['in the prompt of a drawing', { prompt: WORD, base64Array: [PICTURE] }],
    ['in a negative prompt', { prompt: 'a', negative_prompt: WORD }],
    ['in the inputs of an application', { inputs: { type: WORD } }],
    ['in instructions of a session', { type: 'session.update', session: { instructions: WORD } }],
    ['in an event of a session', { type: 'conversation.item.create', item: { content: [{ text: WORD }] } }],
    ['in a response of a session', { type: 'response.create', response: { instructions: WORD } }],
    ['in fields of a document that have names of ours', { documents: [{ id: WORD }] }],
    ['deep in a document', { documents: [{ messages: [{ role: WORD, metadata: { user: WORD } }] }] }],
    ['in the name of a field of a document', { documents: [{ [WORD]: 1 }] }],
    ['in a variable that has a name of ours', { prompt: { id: 'pmpt_1', variables: { type: WORD } } }],
    ['in a name among definitions', inSchema({ $defs: { [WORD]: { type: 'string' } } })],
    ['in what a definition says', inSchema({ $defs: { a: { properties: { type: { description: WORD } } } } })],
    ['in a default', inSchema({ properties: { a: { default: { status: WORD } } } })],
    ['in examples', inSchema({ properties: { a: { examples: [{ id: [WORD] }] } } })],
    ['in a choice', inSchema({ properties: { a: { enum: [WORD] } } })],
    ['in a choice of objects', inSchema({ enum: [{ [WORD]: 1 }] })],
    ['in a type that is none', inSchema({ type: WORD })],
    ['in the metadata of a message', message('', { metadata: { id: WORD } })],
    ['in a user who is none', message('', { user: WORD })],
    ['in an unknown object', { x: { role: WORD } }],
    ['in a name of an unknown object', message('', { x: [{ [WORD]: 1 }] })],
    ['in the input of an unknown tool', message([{ type: 'x', input: { id: WORD } }])],
    ['in what a tool gave', { input: [{ type: 'function_call_output', output: { status: WORD } }] }],
    ['in what a tool gave, as escapes', message(escapes(1), { role: 'tool' })],
    ['in a call, as escapes of escapes', call(escapes(2))],
    ['in a call, as escapes of all', call(escapes(1).replaceAll('\\', '\\u005c'))],
    ['in an address in a document', { documents: [{ url: `https://example.com/${WORD}` }] }],
    ['after a picture in a document', { documents: [{ image: `${PICTURE} ${WORD}` }] }],
    ['in unknown fields', { x: { y: [[{ z: WORD }]] } }],
    ['in a place for pictures, if it is none', { prompt: 'a', image: `a ${WORD} thing` }],
  ])('%s', (_, body) => {
    expect(finds(body)).toBe(true)
  })
})

describe('a value is not checked', () => {
  const word64 = WORD.repeat(10)
  test.each<[string, Record<string, unknown>]>([
    ['in words of the API', { model: WORD, messages: [{ role: WORD, content: [{ type: WORD }] }], tool_choice: WORD }],
    ['in lists of them', { modalities: [WORD] }],
    ['in ids', message('', { tool_call_id: WORD, tool_calls: [{ id: WORD, call_id: WORD }] })],
    ['in who asks', { user: WORD, metadata: { user_id: WORD } }],
    ['in pictures', message([{ type: 'image_url', image_url: { url: `data:image/png;base64,${word64}` } }])],
    ['in addresses', message([{ type: 'image_url', image_url: { url: `https://example.com/${WORD}.png` } }])],
    ['in sounds', message([{ type: 'input_audio', input_audio: { data: word64, format: 'wav' } }])],
    ['in base64', message([{ type: 'image', source: { type: 'base64', media_type: 'image/png', data: word64 } }])],
    ['in inline data', { contents: [{ parts: [{ inlineData: { mimeType: 'image/png', data: word64 } }] }] }],
    ['in pictures of a drawing', { base64Array: [`data:image/png;base64,${word64}`], maskBase64: word64 }],
    ['in ids of a drawing', { taskId: WORD, customId: `MJ::JOB::${WORD}::1` }],
    ['in ids of music', { task_id: WORD, continue_clip_id: WORD, mv: WORD, notify_hook: WORD }],
    ['in lists of pictures', { prompt: 'a', images: [word64] }],
    ['in signatures', { contents: [{ parts: [{ text: 'a', thoughtSignature: WORD }] }] }],
    ['in numbers that stand for text', { input: [[1, 2, 3]], prompt: [4, 5] }],
    ['in a picture in a document', { documents: [{ image: `data:image/png;base64,${word64}` }] }],
    ['in words of the API in sessions', { type: 'x', session: { audio: { input: { format: { type: WORD } } } } }],
  ])('%s', (_, body) => {
    expect(finds(body)).toBe(false)
  })
})

test('API names and type names are not among the texts', () => {
  const type = { type: ['object', 'null'], properties: { a: { anyOf: [{ type: 'string' }, { type: 'NUMBER' }] } } }
  const tools = [{ type: 'function', function: { name: 'f', parameters: { ...type, $defs: { b: type } } } }]
  const response_format = { type: 'json_schema', json_schema: { name: 'g', schema: type } }

  expect(extractText({ tools, response_format }).sort()).toEqual(['a', 'a', 'a', 'b', 'f', 'g'])
})

test('a text of escapes takes no longer than others', () => {
  const from = process.cpuUsage()
  for (const text of ['\\'.repeat(1e6), `${'\\u005c'.repeat(2e5)}u0066`, `\\u${'\\'.repeat(1e6)}u`])
    extractText({ input: text })

  // Of the processor, not of the clock: other processes take none of it.
  const { user, system } = process.cpuUsage(from)
  expect((user + system) / 1000).toBeLessThan(1000)
})
