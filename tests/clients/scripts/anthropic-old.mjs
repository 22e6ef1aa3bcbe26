import Anthropic from 'anthropic-old'
import { key, model, QUESTION, run, url, WEATHER, weatherOf } from './cases.mjs'

/* A version from before the tool runner and threads. */

const client = new Anthropic({ apiKey: key, baseURL: url, maxRetries: 0 })
const messages = [{ role: 'user', content: QUESTION }]
const { parameters: input_schema, ...named } = WEATHER
const tools = [{ ...named, input_schema }]
const ask = (more) => ({ model, max_tokens: 1000, messages, ...more })
const textOf = ({ content }) => content.flatMap(({ text }) => text ?? []).join('')

const after = ({ content }) => [
  ...messages,
  { role: 'assistant', content },
  {
    role: 'user',
    content: content.flatMap((block) =>
      block.type === 'tool_use'
        ? [{ type: 'tool_result', tool_use_id: block.id, content: weatherOf(block.input) }]
        : [],
    ),
  },
]

await run({
  messages: async () => textOf(await client.messages.create(ask())),
  'messages, streamed': async () => textOf(await client.messages.stream(ask()).finalMessage()),
  'messages, tools': async () => {
    const first = await client.messages.create(ask({ tools }))
    return textOf(await client.messages.create(ask({ tools, messages: after(first) })))
  },
  'messages, tools, streamed': async () => {
    const first = await client.messages.stream(ask({ tools })).finalMessage()
    return textOf(await client.messages.stream(ask({ tools, messages: after(first) })).finalMessage())
  },
})
