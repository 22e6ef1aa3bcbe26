import { key, model, QUESTION, run, url, WEATHER, weatherOf } from './cases.mjs'

/** The cases of older major versions of the package `openai`, whose tool runner was a beta. */
export async function runOlder(OpenAI) {
  const client = new OpenAI({ apiKey: key, baseURL: `${url}/v1`, maxRetries: 0 })
  const messages = [{ role: 'user', content: QUESTION }]
  const tool = { ...WEATHER, parse: JSON.parse, function: weatherOf }
  const tools = [{ type: 'function', function: tool }]
  const { completions } = client.beta.chat ?? client.chat
  await run({
    chat: async () => (await client.chat.completions.create({ model, messages })).choices[0].message.content,
    'chat, streamed': async () => {
      let text = ''
      for await (const { choices } of await client.chat.completions.create({ model, messages, stream: true }))
        text += choices[0]?.delta.content ?? ''
      return text
    },
    'chat, tools': () => completions.runTools({ model, messages, tools }).finalContent(),
    'chat, tools, streamed': () => completions.runTools({ model, messages, stream: true, tools }).finalContent(),
    responses: async () => (await client.responses.create({ model, input: QUESTION })).output_text,
    // Their streams do not put `output_text` together.
    'responses, streamed': async () => {
      const { output } = await client.responses.stream({ model, input: QUESTION }).finalResponse()
      return output.flatMap(({ content = [] }) => content.map(({ text }) => text ?? '')).join('')
    },
  })
}
