import { createAnthropic } from '@ai-sdk/anthropic'
import { createGoogleGenerativeAI } from '@ai-sdk/google'
import { createOpenAI } from '@ai-sdk/openai'
import { createOpenAICompatible } from '@ai-sdk/openai-compatible'
import { generateObject, generateText, jsonSchema, stepCountIs, streamText, tool } from 'ai'
import { key, model, QUESTION, run, url, WEATHER, weatherOf } from './cases.mjs'

const models = {
  openai: createOpenAI({ apiKey: key, baseURL: `${url}/v1` })(model),
  'openai-compatible': createOpenAICompatible({ name: 'gateway', apiKey: key, baseURL: `${url}/v1` })(model),
  anthropic: createAnthropic({ apiKey: key, baseURL: `${url}/v1` })(model),
  google: createGoogleGenerativeAI({ apiKey: key, baseURL: `${url}/v1beta` })(model),
}
const tools = {
  weather: tool({ description: WEATHER.description, inputSchema: jsonSchema(WEATHER.parameters), execute: weatherOf }),
}
const schema = jsonSchema(WEATHER.parameters)
const cases = Object.entries(models).flatMap(([name, of]) => {
  const ask = { model: of, prompt: QUESTION, maxRetries: 0 }
  const stepped = { ...ask, tools, stopWhen: stepCountIs(4) }
  const streamed = async (options) => {
    let failure
    const result = streamText({ ...options, onError: ({ error }) => (failure = error) })
    const text = await result.text.catch((error) => {
      throw failure ?? error
    })
    if (failure) throw failure
    return text
  }
  return [
    [`${name}: text`, async () => (await generateText(ask)).text],
    [`${name}: streamed`, () => streamed(ask)],
    [`${name}: steps with tools`, async () => (await generateText(stepped)).text],
    [`${name}: steps with tools, streamed`, () => streamed(stepped)],
    [`${name}: object`, async () => `${(await generateObject({ ...ask, schema })).object.city}: sunny`],
  ]
})
await run(Object.fromEntries(cases))
