import { Agent, OpenAIProvider, Runner, setTracingDisabled, tool } from '@openai/agents'
import OpenAI from 'openai'
import { key, model, QUESTION, run, url, WEATHER, weatherOf } from './cases.mjs'

setTracingDisabled(true)
const openAIClient = new OpenAI({ apiKey: key, baseURL: `${url}/v1`, maxRetries: 0 })
const look = tool({ ...WEATHER, strict: true, execute: weatherOf })
const agent = new Agent({ name: 'a', model, instructions: 'Use the tool.', tools: [look] })
const runner = (useResponses) => new Runner({ modelProvider: new OpenAIProvider({ openAIClient, useResponses }) })
const streamed = async (useResponses) => {
  const result = await runner(useResponses).run(agent, QUESTION, { stream: true })
  await result.completed
  return result.finalOutput
}

await run({
  responses: async () => (await runner(true).run(agent, QUESTION)).finalOutput,
  'responses, streamed': () => streamed(true),
  'responses, by previous_response_id': async () => {
    const first = await runner(true).run(agent, QUESTION)
    return (await runner(true).run(agent, QUESTION, { previousResponseId: first.lastResponseId })).finalOutput
  },
  'chat completions': async () => (await runner(false).run(agent, QUESTION)).finalOutput,
  'chat completions, streamed': () => streamed(false),
})
