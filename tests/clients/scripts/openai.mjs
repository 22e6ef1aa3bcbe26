import OpenAI from 'openai'
import { key, model, QUESTION, run, url, WEATHER, weatherOf } from './cases.mjs'

const client = new OpenAI({ apiKey: key, baseURL: `${url}/v1`, maxRetries: 0 })
const messages = [{ role: 'user', content: QUESTION }]
const tool = { ...WEATHER, parse: JSON.parse, function: weatherOf }

await run({
  chat: async () => (await client.chat.completions.create({ model, messages })).choices[0].message.content,
  'chat, streamed': async () =>
    (await client.chat.completions.stream({ model, messages }).finalChatCompletion()).choices[0].message.content,
  'chat, tools': () =>
    client.chat.completions.runTools({ model, messages, tools: [{ type: 'function', function: tool }] }).finalContent(),
  'chat, tools, streamed': () =>
    client.chat.completions
      .runTools({ model, messages, stream: true, tools: [{ type: 'function', function: tool }] })
      .finalContent(),
  responses: async () => (await client.responses.create({ model, input: QUESTION })).output_text,
  'responses, streamed': async () =>
    (await client.responses.stream({ model, input: QUESTION }).finalResponse()).output_text,
  'responses, tools by previous_response_id': async () => {
    const tools = [{ type: 'function', strict: true, ...WEATHER }]
    const first = await client.responses.create({ model, input: QUESTION, tools })
    const input = first.output.flatMap((item) =>
      item.type === 'function_call'
        ? [{ type: 'function_call_output', call_id: item.call_id, output: weatherOf(JSON.parse(item.arguments)) }]
        : [],
    )
    return (await client.responses.create({ model, input, tools, previous_response_id: first.id })).output_text
  },
})
