/** The values inserted into an example. */
interface KeyAccess {
  /** The gateway's address for clients, without a trailing slash. */
  address: string
  /** The key with its prefix `sk-`. */
  key: string
  model: string
}

const QUESTION = 'Say hello in one short sentence.'

/** For each client, a first request or the client's settings. Each name, except `env`, is also the title of a tab. */
export const SNIPPETS = {
  curl: ({ address, key, model }) => `curl ${address}/v1/chat/completions \\
  -H "Authorization: Bearer ${key}" \\
  -H "Content-Type: application/json" \\
  -d '${chatBody(model)}'`,

  Python: ({ address, key, model }) => `# pip install openai
from openai import OpenAI

client = OpenAI(base_url="${address}/v1", api_key="${key}")
reply = client.chat.completions.create(
    model="${model}",
    messages=[{"role": "user", "content": "${QUESTION}"}],
)
print(reply.choices[0].message.content)`,

  Node: ({ address, key, model }) => `// npm install openai
import OpenAI from 'openai'

const client = new OpenAI({ baseURL: '${address}/v1', apiKey: '${key}' })
const reply = await client.chat.completions.create({
  model: '${model}',
  messages: [{ role: 'user', content: '${QUESTION}' }],
})
console.log(reply.choices[0].message.content)`,

  Anthropic: ({ address, key, model }) => `curl ${address}/v1/messages \\
  -H "x-api-key: ${key}" \\
  -H "anthropic-version: 2023-06-01" \\
  -H "Content-Type: application/json" \\
  -d '${JSON.stringify({ model, max_tokens: 256, messages: [{ role: 'user', content: QUESTION }] })}'`,

  Gemini: ({ address, key, model }) => `curl "${address}/v1beta/models/${model}:generateContent" \\
  -H "x-goog-api-key: ${key}" \\
  -H "Content-Type: application/json" \\
  -d '${JSON.stringify({ contents: [{ parts: [{ text: QUESTION }] }] })}'`,

  Codex: ({ address, key, model }) => `# ~/.codex/config.toml
model = "${model}"
model_provider = "tollgate"

[model_providers.tollgate]
name = "Tollgate"
base_url = "${address}/v1"
env_key = "TOLLGATE_API_KEY"
wire_api = "responses"

# shell
export TOLLGATE_API_KEY="${key}"
codex`,

  'Claude Code': ({ address, key, model }) => `export ANTHROPIC_BASE_URL="${address}"
export ANTHROPIC_AUTH_TOKEN="${key}"
export ANTHROPIC_MODEL="${model}"
export ANTHROPIC_SMALL_FAST_MODEL="${model}"
claude`,

  Cursor: ({ address, key, model }) => `Cursor Settings › Models › API Keys

OpenAI API Key            ${key}
Override OpenAI Base URL  ${address}/v1
Add model                 ${model}`,

  env: ({ address, key }) => `export OPENAI_BASE_URL="${address}/v1"
export OPENAI_API_KEY="${key}"
export ANTHROPIC_BASE_URL="${address}"
export ANTHROPIC_API_KEY="${key}"
export GOOGLE_GEMINI_BASE_URL="${address}"
export GEMINI_API_KEY="${key}"`,
} as const satisfies Record<string, (access: KeyAccess) => string>

export type SnippetName = keyof typeof SNIPPETS

function chatBody(model: string): string {
  return JSON.stringify({ model, messages: [{ role: 'user', content: QUESTION }] })
}
