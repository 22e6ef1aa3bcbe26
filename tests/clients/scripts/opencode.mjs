import { key, model, QUESTION, run, url } from './cases.mjs'
import { command } from './command.mjs'

/** Addresses of the gateway by the program's own names of providers; `gateway` is one that a user adds. */
const PROVIDERS = {
  openai: { options: { baseURL: `${url}/v1` } },
  anthropic: { options: { baseURL: `${url}/v1` } },
  google: { options: { baseURL: `${url}/v1beta` } },
  gateway: { npm: '@ai-sdk/openai-compatible', options: { baseURL: `${url}/v1` } },
}

/** Asks with one provider configured, as the program's documents show it: address, key and model. */
const ask = (id) => {
  const { options, ...provider } = PROVIDERS[id]
  const config = {
    provider: { [id]: { ...provider, options: { ...options, apiKey: '{env:TOLLGATE_KEY}' }, models: { [model]: {} } } },
  }
  return command(
    'opencode',
    ['run', '-m', `${id}/${model}`, QUESTION],
    { TOLLGATE_KEY: key },
    { '.config/opencode/opencode.json': JSON.stringify(config) },
  )
}

await run(Object.fromEntries(Object.keys(PROVIDERS).map((id) => [`run, ${id}`, () => ask(id)])))
