import { Configuration, OpenAIApi } from 'openai-3'
import { key, model, QUESTION, run, url } from './cases.mjs'

/* The generated client that came before the streams and tools of later versions. */

const client = new OpenAIApi(new Configuration({ apiKey: key, basePath: `${url}/v1` }))
const messages = [{ role: 'user', content: QUESTION }]
const ask = async (body) => (await client.createChatCompletion({ model, messages, ...body })).data.choices[0].message

await run({
  chat: async () => (await ask({})).content,
  'chat, streamed': async () => {
    const options = { responseType: 'stream' }
    const { data } = await client.createChatCompletion({ model, messages, stream: true }, options)
    let wire = ''
    for await (const piece of data) wire += piece
    const events = wire.split('\n').filter((line) => line.startsWith('data: {'))
    return events.map((line) => JSON.parse(line.slice(6)).choices[0]?.delta.content ?? '').join('')
  },
})
