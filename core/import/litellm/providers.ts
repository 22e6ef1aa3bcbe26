/** Channel types by LiteLLM's prefix of model names. `base` is the address of a provider with OpenAI's format. */
export const LITELLM_PROVIDERS: Readonly<Record<string, { type: number; base?: string }>> = {
  openai: { type: 1 },
  openai_like: { type: 1 },
  custom_openai: { type: 1 },
  hosted_vllm: { type: 1 },
  'text-completion-openai': { type: 1 },
  azure: { type: 3 },
  anthropic: { type: 14 },
  gemini: { type: 24 },
  vertex_ai: { type: 41 },
  bedrock: { type: 33 },
  mistral: { type: 42 },
  deepseek: { type: 43 },
  cohere: { type: 34 },
  cohere_chat: { type: 34 },
  openrouter: { type: 20 },
  perplexity: { type: 27 },
  moonshot: { type: 25 },
  xai: { type: 48 },
  ollama: { type: 4 },
  ollama_chat: { type: 4 },
  cloudflare: { type: 39 },
  volcengine: { type: 45 },
  groq: { type: 1, base: 'https://api.groq.com/openai/v1' },
  together_ai: { type: 1, base: 'https://api.together.xyz/v1' },
  fireworks_ai: { type: 1, base: 'https://api.fireworks.ai/inference/v1' },
  deepinfra: { type: 1, base: 'https://api.deepinfra.com/v1/openai' },
}

/** Providers of models that have no provider prefix. */
const BY_NAME: readonly [RegExp, string][] = [
  [/^(gpt|o\d|chatgpt|text-embedding|dall-e|whisper|tts)/, 'openai'],
  [/^claude/, 'anthropic'],
  [/^gemini/, 'gemini'],
  [/^(mistral|codestral|ministral)/, 'mistral'],
  [/^deepseek/, 'deepseek'],
  [/^command/, 'cohere'],
]

/** Splits a name such as `azure/my-deployment`. The provider is empty if it cannot be determined. */
export function splitModel(name: string, hasBase: boolean): { provider: string; model: string } {
  const [first = '', ...rest] = name.split('/')
  if (rest.length > 0 && Object.hasOwn(LITELLM_PROVIDERS, first)) return { provider: first, model: rest.join('/') }
  const provider = rest.length === 0 ? BY_NAME.find(([pattern]) => pattern.test(name))?.[1] : undefined
  return { provider: provider ?? (hasBase ? 'openai' : ''), model: name }
}
