import { CohereClientV2 } from 'cohere-ai'
import { key, model, QUESTION, run, url, WEATHER, weatherOf } from './cases.mjs'

const client = new CohereClientV2({ token: key, environment: url, baseUrl: url })
const messages = [{ role: 'user', content: QUESTION }]
const tools = [{ type: 'function', function: WEATHER }]
const textOf = (message) => (message.content ?? []).flatMap(({ text }) => text ?? []).join('')

await run({
  chat: async () => textOf((await client.chat({ model, messages })).message),
  'chat, streamed': async () => {
    let text = ''
    for await (const event of await client.chatStream({ model, messages })) {
      if (event.type === 'content-delta') text += event.delta?.message?.content?.text ?? ''
    }
    return text
  },
  'chat, tools': async () => {
    const { message } = await client.chat({ model, messages, tools })
    const results = message.toolCalls.map((call) => ({
      role: 'tool',
      toolCallId: call.id,
      content: weatherOf(JSON.parse(call.function.arguments)),
    }))
    return textOf((await client.chat({ model, tools, messages: [...messages, message, ...results] })).message)
  },
})
