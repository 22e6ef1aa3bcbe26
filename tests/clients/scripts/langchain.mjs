import { ChatAnthropic } from '@langchain/anthropic'
import { HumanMessage, ToolMessage } from '@langchain/core/messages'
import { tool } from '@langchain/core/tools'
import { ChatGoogleGenerativeAI } from '@langchain/google-genai'
import { ChatOpenAI } from '@langchain/openai'
import { key, model, QUESTION, run, url, WEATHER, weatherOf } from './cases.mjs'

const models = {
  openai: new ChatOpenAI({ model, apiKey: key, maxRetries: 0, configuration: { baseURL: `${url}/v1` } }),
  'openai, responses': new ChatOpenAI({
    model,
    apiKey: key,
    maxRetries: 0,
    useResponsesApi: true,
    configuration: { baseURL: `${url}/v1` },
  }),
  anthropic: new ChatAnthropic({ model, apiKey: key, maxRetries: 0, anthropicApiUrl: url }),
  google: new ChatGoogleGenerativeAI({ model, apiKey: key, maxRetries: 0, baseUrl: url }),
}
const look = tool(weatherOf, { name: WEATHER.name, description: WEATHER.description, schema: WEATHER.parameters })

async function withTools(of) {
  const bound = of.bindTools([look])
  const messages = [new HumanMessage(QUESTION)]
  for (let step = 0; step < 4; step++) {
    const reply = await bound.invoke(messages)
    messages.push(reply)
    if (reply.tool_calls.length === 0) return reply.text
    for (const call of reply.tool_calls) {
      messages.push(new ToolMessage({ tool_call_id: call.id, name: call.name, content: weatherOf(call.args) }))
    }
  }
  return ''
}

const cases = Object.entries(models).flatMap(([name, of]) => [
  [`${name}: text`, async () => (await of.invoke(QUESTION)).text],
  [
    `${name}: streamed`,
    async () => {
      let text = ''
      for await (const chunk of await of.stream(QUESTION)) text += chunk.text
      return text
    },
  ],
  [`${name}: tools`, () => withTools(of)],
])
await run(Object.fromEntries(cases))
