import { Mistral } from '@mistralai/mistralai'
import { key, model, QUESTION, run, url, WEATHER, weatherOf } from './cases.mjs'

const client = new Mistral({ apiKey: key, serverURL: url, retryConfig: { strategy: 'none' } })
const messages = [{ role: 'user', content: QUESTION }]
const tools = [{ type: 'function', function: WEATHER }]

async function streamed(request) {
  let text = ''
  const toolCalls = []
  for await (const { data } of await client.chat.stream(request)) {
    const { delta } = data.choices[0] ?? {}
    text += typeof delta?.content === 'string' ? delta.content : ''
    toolCalls.push(...(delta?.toolCalls ?? []))
  }
  return { text, toolCalls }
}

const after = (toolCalls) => [
  ...messages,
  { role: 'assistant', content: '', toolCalls },
  ...toolCalls.map((call) => ({
    role: 'tool',
    toolCallId: call.id,
    name: call.function.name,
    content: weatherOf(JSON.parse(call.function.arguments)),
  })),
]

await run({
  chat: async () => (await client.chat.complete({ model, messages })).choices[0].message.content,
  'chat, streamed': async () => (await streamed({ model, messages })).text,
  'chat, tools': async () => {
    const first = await client.chat.complete({ model, messages, tools })
    const next = await client.chat.complete({ model, tools, messages: after(first.choices[0].message.toolCalls) })
    return next.choices[0].message.content
  },
  'chat, tools, streamed': async () => {
    const { toolCalls } = await streamed({ model, messages, tools })
    return (await streamed({ model, tools, messages: after(toolCalls) })).text
  },
})
