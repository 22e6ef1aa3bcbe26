import { GoogleGenAI } from '@google/genai'
import { key, model, QUESTION, run, url, WEATHER, weatherOf } from './cases.mjs'

const client = new GoogleGenAI({ apiKey: key, httpOptions: { baseUrl: url } })
const { parameters, ...named } = WEATHER
const tools = [{ functionDeclarations: [{ ...named, parametersJsonSchema: parameters }] }]

await run({
  generate: async () => (await client.models.generateContent({ model, contents: QUESTION })).text,
  'generate, streamed': async () => {
    let text = ''
    for await (const chunk of await client.models.generateContentStream({ model, contents: QUESTION }))
      text += chunk.text ?? ''
    return text
  },
  'chat, tools': async () => {
    const chat = client.chats.create({ model, config: { tools } })
    const first = await chat.sendMessage({ message: QUESTION })
    const message = (first.functionCalls ?? []).map(({ id, name, args }) => ({
      functionResponse: { id, name, response: { output: weatherOf(args) } },
    }))
    return (await chat.sendMessage({ message })).text
  },
})
