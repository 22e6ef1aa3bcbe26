import { Ollama } from 'ollama'
import { key, model, QUESTION, run, url, WEATHER, weatherOf } from './cases.mjs'

const client = new Ollama({ host: url, headers: { Authorization: `Bearer ${key}` } })
const messages = [{ role: 'user', content: QUESTION }]
const tools = [{ type: 'function', function: WEATHER }]

await run({
  chat: async () => (await client.chat({ model, messages })).message.content,
  'chat, streamed': async () => {
    let text = ''
    for await (const part of await client.chat({ model, messages, stream: true })) text += part.message.content
    return text
  },
  'chat, tools': async () => {
    const { message } = await client.chat({ model, messages, tools })
    const results = message.tool_calls.map(({ function: { name, arguments: args } }) => ({
      role: 'tool',
      tool_name: name,
      content: weatherOf(args),
    }))
    return (await client.chat({ model, tools, messages: [...messages, message, ...results] })).message.content
  },
  generate: async () => (await client.generate({ model, prompt: QUESTION })).response,
})
