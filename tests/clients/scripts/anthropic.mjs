import Anthropic from '@anthropic-ai/sdk'
import { betaTool } from '@anthropic-ai/sdk/helpers/beta/json-schema'
import { key, model, QUESTION, run, url, WEATHER, weatherOf } from './cases.mjs'

const client = new Anthropic({ apiKey: key, baseURL: url, maxRetries: 0 })
const ask = { model, max_tokens: 1000, messages: [{ role: 'user', content: QUESTION }] }
const textOf = ({ content }) => content.flatMap(({ text }) => text ?? []).join('')
const { parameters, ...named } = WEATHER
const tool = betaTool({ ...named, inputSchema: parameters, run: weatherOf })

await run({
  messages: async () => textOf(await client.messages.create(ask)),
  'messages, streamed': async () => textOf(await client.messages.stream(ask).finalMessage()),
  'tool runner': async () => textOf(await client.beta.messages.toolRunner({ ...ask, tools: [tool] })),
  thread: async () => {
    const thread = client.beta.messages.thread({ model, max_tokens: 1000 })
    await thread.send({ role: 'user', content: QUESTION })
    return textOf(await thread.send({ role: 'user', content: QUESTION }))
  },
})
