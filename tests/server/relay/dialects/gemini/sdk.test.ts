import { type GenerateContentConfig, type GenerateContentResponse, GoogleGenAI } from '@google/genai'
import { describe, expect, test } from 'vitest'
import { plainUsage } from '../../../../../server/relay/charging/usage.ts'
import { collect } from '../../../../../server/relay/conversation/collect.ts'
import type { ReplyEvent } from '../../../../../server/relay/conversation/conversation.ts'
import { endApart } from '../../../../../server/relay/delivery/deliver.ts'
import { forwardingWriter, translatingWriter } from '../../../../../server/relay/delivery/outlets.ts'
import type { RelayError, ReplyContext } from '../../../../../server/relay/dialects/dialect.ts'
import { geminiDialect } from '../../../../../server/relay/dialects/gemini/dialect.ts'
import { batchEmbedContents } from '../../../../../server/relay/dialects/gemini/embeddings.ts'
import { countReply, readPath } from '../../../../../server/relay/dialects/gemini/requests.ts'
import { contentReader } from '../../../../../server/relay/providers/gemini/content-reader.ts'
import { GOLDEN } from '../../../../support/gemini-golden.ts'
import { type Exchange, startUpstream } from '../../../../support/hand-made-upstream.ts'
import { readStream, sse, streamEvents } from '../../../../support/wire.ts'

const USAGE = { ...plainUsage(20, 12), cachedTokens: 8, reasoningTokens: 4 }
const ERROR: RelayError = { status: 503, message: 'Gone', type: 't', param: null, code: null, requestId: 'req-1' }
const EVENTS = readStream(contentReader(), sse(...GOLDEN))
const CONFIG: GenerateContentConfig = { thinkingConfig: { includeThoughts: true } }

const contextOf = ({ body, path }: Exchange): ReplyContext => ({
  requestId: 'req-1',
  model: 'm',
  created: 1_700_000_000,
  body,
  query: path.split('?')[1] ?? '',
  renamesModel: false,
  promptTokens: 20,
})

/** The official client, of a server that answers as the test says. */
async function clientOf(answer: (exchange: Exchange) => { status?: number; type?: string; bytes: string }) {
  const server = await startUpstream((exchange) => {
    const { status = 200, type = 'application/json', bytes } = answer(exchange)
    exchange.response.writeHead(status, { 'content-type': type }).end(bytes)
  })
  const ai = new GoogleGenAI({ apiKey: 'sk-test', httpOptions: { baseUrl: server.url } })
  return { ai, server }
}

const written = (events: readonly ReplyEvent[]) => (exchange: Exchange) => {
  const writer = geminiDialect.writer(contextOf(exchange))
  const bytes = events.map((event) => writer.write(event)).join(geminiDialect.ping) + writer.end(USAGE)
  return { type: writer.contentType, bytes }
}

async function readAll(ai: GoogleGenAI) {
  const chunks: GenerateContentResponse[] = []
  for await (const chunk of await ai.models.generateContentStream({ model: 'm', contents: 'hi', config: CONFIG }))
    chunks.push(chunk)
  const parts = chunks.flatMap((chunk) => chunk.candidates?.[0]?.content?.parts ?? [])
  const text = (thought: boolean) =>
    parts
      .filter((part) => (part.thought ?? false) === thought)
      .map((part) => part.text ?? '')
      .join('')
  return {
    thoughts: text(true),
    text: text(false),
    calls: parts.flatMap(({ functionCall, thoughtSignature }) =>
      functionCall ? [{ ...functionCall, thoughtSignature }] : [],
    ),
    last: chunks.at(-1),
  }
}

const MEANT = {
  thoughts: 'Need the weather.',
  text: 'Checking.',
  calls: [
    { id: 'call_a', name: 'get_weather', args: { city: 'Oslo' }, thoughtSignature: 'c2ln' },
    { id: 'call_b', name: 'get_time', args: {} },
  ],
  last: {
    candidates: [{ finishReason: 'STOP' }],
    usageMetadata: {
      promptTokenCount: 20,
      candidatesTokenCount: 8,
      thoughtsTokenCount: 4,
      cachedContentTokenCount: 8,
      totalTokenCount: 32,
    },
    modelVersion: 'm',
    responseId: 'r1',
  },
}

describe('the official client', () => {
  test('reads a translated stream with pings correctly', async () => {
    const { ai, server } = await clientOf(written(EVENTS))
    expect(await readAll(ai)).toMatchObject(MEANT)
    expect(readPath(server.seen[0]?.path ?? '')).toEqual({ model: 'm', method: 'streamGenerateContent' })
  })

  test('reads a native stream correctly', async () => {
    const { ai } = await clientOf((exchange) => {
      const forwarder = geminiDialect.forwarder(contextOf(exchange))
      const events = streamEvents(`: keep-alive\n\n${sse(...GOLDEN)}`.trimEnd())
      const bytes = events.map((event) => String(forwarder.forward(event) ?? '')).join('') + forwarder.end(undefined)
      return { type: forwarder.contentType, bytes }
    })
    expect(await readAll(ai)).toMatchObject(MEANT)
  })

  test('reads a whole reply correctly', async () => {
    const { ai } = await clientOf((exchange) => ({
      bytes: JSON.stringify(geminiDialect.whole(collect(EVENTS), USAGE, contextOf(exchange))),
    }))
    const reply = await ai.models.generateContent({ model: 'm', contents: 'hi', config: CONFIG })
    expect(reply.text).toBe('Checking.')
    expect(reply.functionCalls).toMatchObject([{ name: 'get_weather', args: { city: 'Oslo' } }, { name: 'get_time' }])
    expect(reply.candidates?.[0]?.content?.parts?.[0]).toMatchObject({ thought: true, text: 'Need the weather.' })
    expect(reply.usageMetadata).toMatchObject(MEANT.last.usageMetadata)
  })

  test('sends a conversation with calls and results that is parsed correctly', async () => {
    const { ai, server } = await clientOf(written(EVENTS))
    const parts = (await readAll(ai)).calls.map(({ thoughtSignature, ...functionCall }) => ({
      functionCall,
      ...(thoughtSignature && { thoughtSignature }),
    }))
    await ai.models.generateContentStream({
      model: 'm',
      contents: [
        { role: 'user', parts: [{ text: 'weather?' }] },
        { role: 'model', parts },
        {
          role: 'user',
          parts: [{ functionResponse: { id: 'call_a', name: 'get_weather', response: { output: '3 degrees' } } }],
        },
      ],
      config: {
        ...CONFIG,
        systemInstruction: 'Be brief.',
        maxOutputTokens: 5,
        tools: [
          {
            functionDeclarations: [
              {
                name: 'get_weather',
                parametersJsonSchema: { type: 'object', properties: { city: { type: 'string' } } },
              },
            ],
          },
        ],
      },
    })
    const body = server.seen[1]?.body ?? {}
    expect(() => geminiDialect.check(body)).not.toThrow()
    expect(geminiDialect.parse(body)).toMatchObject({
      maxTokens: 5,
      reasoning: { visible: true },
      tools: [{ name: 'get_weather', parameters: { properties: { city: { type: 'string' } } } }],
      turns: [
        { role: 'system', parts: [{ text: 'Be brief.' }] },
        { role: 'user' },
        {
          role: 'assistant',
          parts: [
            { kind: 'call', id: 'call_a', signature: 'c2ln' },
            { kind: 'call', id: 'call_b' },
          ],
        },
        { role: 'user', parts: [{ kind: 'result', callId: 'call_a', parts: [{ text: '3 degrees' }] }] },
      ],
    })
  })

  test.each([forwardingWriter, translatingWriter])(
    'throws the error of a truncated stream, after its output: %o',
    async (open) => {
      const [event] = streamEvents(sse({ candidates: [{ content: { role: 'model', parts: [{ text: 'a' }] } }] }))
      const { url } = await startUpstream((exchange) => {
        const outlet = open(geminiDialect, contextOf(exchange))
        exchange.response.writeHead(200, { 'content-type': outlet.contentType })
        exchange.response.write(outlet.write([{ event, events: [{ kind: 'text', text: 'a' }] }]))
        return endApart(exchange.response, outlet.broken(ERROR))
      })
      const ai = new GoogleGenAI({ apiKey: 'sk-test', httpOptions: { baseUrl: url } })
      const read: string[] = []
      const reading = (async () => {
        for await (const { text } of await ai.models.generateContentStream({ model: 'm', contents: 'hi' }))
          read.push(text ?? '')
      })()
      await expect(reading).rejects.toMatchObject({
        name: 'ApiError',
        status: 503,
        message: expect.stringContaining('Gone'),
      })
      expect(read[0]).toBe('a')
    },
  )

  test('throws for a rejection, with its message', async () => {
    const { ai } = await clientOf(() => ({
      status: 403,
      bytes: JSON.stringify(geminiDialect.error({ ...ERROR, status: 403 }).body),
    }))
    await expect(ai.models.generateContent({ model: 'm', contents: 'hi' })).rejects.toMatchObject({
      status: 403,
      message: expect.stringContaining('Gone'),
    })
  })

  test('reads embeddings and counts', async () => {
    const { ai, server } = await clientOf(({ path, body }) => {
      if (path.includes(':countTokens')) return { bytes: JSON.stringify(countReply(7)) }
      const { request, reply } = batchEmbedContents('emb')
      const { input } = request(body)
      const data = (input as string[]).map((text, index) => ({ index, embedding: [text.length] }))
      return { bytes: JSON.stringify(reply({ data })) }
    })
    const { embeddings } = await ai.models.embedContent({ model: 'emb', contents: ['a', 'bbb'] })
    expect(embeddings?.map(({ values }) => values)).toEqual([[1], [3]])
    expect(readPath(server.seen[0]?.path ?? '')?.method).toBe('batchEmbedContents')
    expect((await ai.models.countTokens({ model: 'm', contents: 'hi' })).totalTokens).toBe(7)
  })
})
