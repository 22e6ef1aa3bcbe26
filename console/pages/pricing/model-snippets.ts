import type { Modality } from './catalog.ts'

interface Snippet {
  name: string
  code: string
}

/** Returns code that calls a model. The user only needs to insert a key. */
export function snippetsFor(model: string, modality: Modality, address: string): Snippet[] {
  const base = address.replace(/\/+$/, '')
  if (modality === 'image') {
    return [curl(`${base}/v1/images/generations`, { model, prompt: 'A lighthouse at dawn' })]
  }
  if (modality === 'embedding') return [curl(`${base}/v1/embeddings`, { model, input: 'Hello' })]
  if (modality === 'rerank') {
    return [curl(`${base}/v1/rerank`, { model, query: 'capital of France', documents: ['Paris', 'Berlin'] })]
  }
  if (modality === 'moderation') return [curl(`${base}/v1/moderations`, { model, input: 'Hello' })]
  if (modality === 'audio' && /tts|speech/i.test(model)) {
    return [curl(`${base}/v1/audio/speech`, { model, voice: 'alloy', input: 'Hello' })]
  }
  if (modality !== 'text') return [{ name: 'curl', code: `curl ${base}/v1/models/${model} \\\n${AUTHORIZATION}` }]
  const chat = { model, messages: [{ role: 'user', content: 'Hello' }] }
  return [curl(`${base}/v1/chat/completions`, chat), python(model, base), node(model, base), anthropic(model, base)]
}

const AUTHORIZATION = '  -H "Authorization: Bearer $OPENAI_API_KEY"'

/** Quotes text as one shell word. */
const quote = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`

const curl = (url: string, body: object): Snippet => ({
  name: 'curl',
  code: `curl ${url} \\
${AUTHORIZATION} \\
  -H "Content-Type: application/json" \\
  -d ${quote(JSON.stringify(body))}`,
})

const python = (model: string, base: string): Snippet => ({
  name: 'Python',
  code: `from openai import OpenAI

client = OpenAI(base_url="${base}/v1", api_key="sk-…")
reply = client.chat.completions.create(
    model=${JSON.stringify(model)},
    messages=[{"role": "user", "content": "Hello"}],
)
print(reply.choices[0].message.content)`,
})

const node = (model: string, base: string): Snippet => ({
  name: 'Node',
  code: `import OpenAI from 'openai'

const client = new OpenAI({ baseURL: '${base}/v1', apiKey: 'sk-…' })
const reply = await client.chat.completions.create({
  model: ${JSON.stringify(model)},
  messages: [{ role: 'user', content: 'Hello' }],
})
console.log(reply.choices[0].message.content)`,
})

const anthropic = (model: string, base: string): Snippet => ({
  name: 'Anthropic',
  code: `curl ${base}/v1/messages \\
  -H "x-api-key: $ANTHROPIC_API_KEY" \\
  -H "anthropic-version: 2023-06-01" \\
  -H "Content-Type: application/json" \\
  -d ${quote(JSON.stringify({ model, max_tokens: 256, messages: [{ role: 'user', content: 'Hello' }] }))}`,
})
