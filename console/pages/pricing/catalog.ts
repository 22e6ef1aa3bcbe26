/** Providers, and patterns for the names of their models. Provider names are not translated. */
const PROVIDERS: readonly (readonly [provider: string, name: RegExp])[] = [
  [
    'OpenAI',
    /^(gpt|chatgpt|o[1-9]|dall-e|whisper|tts|text-embedding|text-moderation|omni-moderation|davinci|babbage|codex|computer-use|sora)/,
  ],
  ['Anthropic', /claude/],
  ['Google', /^(gemini|gemma|imagen|veo|palm|text-bison|chat-bison|learnlm|aqa)/],
  ['DeepSeek', /deepseek/],
  ['Alibaba', /^(qwen|qwq|qvq|tongyi|wan\d|text-embedding-v)/],
  ['xAI', /^grok/],
  ['Meta', /llama/],
  ['Mistral', /^(mistral|mixtral|ministral|codestral|pixtral|magistral|devstral|open-mi)/],
  ['Zhipu', /^(glm|chatglm|cogview|cogvideo)/],
  ['Moonshot', /^(moonshot|kimi)/],
  ['ByteDance', /^(doubao|seed|skylark)/],
  ['Baidu', /^(ernie|bge-large|tao-8k)/],
  ['Tencent', /^hunyuan/],
  ['iFlytek', /^spark/],
  ['MiniMax', /^(abab|minimax|speech-0)/],
  ['Cohere', /^(command|embed-|rerank-|c4ai|aya)/],
  ['Perplexity', /^(sonar|pplx|r1-1776)/],
  ['Jina', /^jina/],
  ['BAAI', /^(bge|baai)/],
  ['01.AI', /^yi-/],
  ['StepFun', /^step-/],
  ['Midjourney', /^mj_/],
  ['Suno', /^(suno|chirp)/],
  ['Stability AI', /^(stable|sd3|sdxl)/],
  ['Black Forest Labs', /flux/],
]

export const MODALITIES = ['text', 'image', 'audio', 'video', 'embedding', 'rerank', 'moderation'] as const
export type Modality = (typeof MODALITIES)[number]

/** Patterns for model names. The first match determines the output modality; without a match, the modality is text. */
const MODALITY_PATTERNS: readonly (readonly [Modality, RegExp])[] = [
  ['rerank', /rerank/],
  ['embedding', /embed|^bge-|^m3e|^tao-8k/],
  ['moderation', /moderation/],
  ['video', /^(sora|veo|cogvideo|kling|wan\d)|video/],
  ['image', /dall-e|gpt-image|imagen|cogview|flux|stable|^sd3|^sdxl|^mj_|-image|^swap_face|wanx|seedream/],
  ['audio', /whisper|^tts|-tts|audio|realtime|transcri|^suno|^chirp|speech|music/],
]

/** Returns the provider of a model; empty if unknown. */
export const providerOf = (model: string): string => {
  // Resellers use names such as `vendor/model`. The patterns are for the part after the last slash.
  const name = model.toLowerCase().replace(/^.*\//, '')
  return PROVIDERS.find(([, pattern]) => pattern.test(name))?.[0] ?? ''
}

export const modalityOf = (model: string): Modality =>
  MODALITY_PATTERNS.find(([, pattern]) => pattern.test(model.toLowerCase()))?.[0] ?? 'text'

/** Formats a context window: `128k`, `1M`; a dash if it is unknown. */
export function contextText(tokens: number): string {
  if (tokens <= 0) return '–'
  if (tokens >= 1_000_000) return `${Number((tokens / 1_000_000).toFixed(1))}M`
  return tokens >= 1_000 ? `${Math.round(tokens / 1_000)}k` : String(tokens)
}
