import type { Modality } from './catalog.ts'

interface Snippet {
  name: string
  code: string
}

const IMAGE = 'data:image/png;base64,…'
const FOLLOW_UP = { taskId: '…', customId: 'MJ::JOB::…' }
/** The path and body of each action of a drawing or music server. Channels list the actions as models. */
const TASKS: Readonly<Record<string, readonly [path: string, body: object]>> = {
  mj_imagine: ['mj/submit/imagine', { prompt: 'A lighthouse at dawn' }],
  mj_describe: ['mj/submit/describe', { base64: IMAGE }],
  mj_blend: ['mj/submit/blend', { base64Array: [IMAGE, IMAGE] }],
  mj_shorten: ['mj/submit/shorten', { prompt: 'A lighthouse at dawn' }],
  mj_upload: ['mj/submit/upload-discord-images', { base64Array: [IMAGE] }],
  mj_modal: ['mj/submit/modal', { taskId: '…', prompt: 'A lighthouse at dawn' }],
  mj_edits: ['mj/submit/edits', { prompt: 'A lighthouse at dawn', image: IMAGE }],
  mj_video: ['mj/submit/video', { prompt: 'A lighthouse at dawn', image: IMAGE }],
  mj_upscale: ['mj/submit/change', { taskId: '…', action: 'UPSCALE', index: 1 }],
  mj_variation: ['mj/submit/change', { taskId: '…', action: 'VARIATION', index: 1 }],
  mj_reroll: ['mj/submit/change', { taskId: '…', action: 'REROLL' }],
  mj_low_variation: ['mj/submit/action', FOLLOW_UP],
  mj_high_variation: ['mj/submit/action', FOLLOW_UP],
  mj_pan: ['mj/submit/action', FOLLOW_UP],
  mj_zoom: ['mj/submit/action', FOLLOW_UP],
  mj_custom_zoom: ['mj/submit/action', FOLLOW_UP],
  mj_inpaint: ['mj/submit/action', FOLLOW_UP],
  swap_face: ['mj/insight-face/swap', { sourceBase64: IMAGE, targetBase64: IMAGE }],
  suno_music: ['suno/submit/music', { gpt_description_prompt: 'Rain on a roof' }],
  suno_lyrics: ['suno/submit/lyrics', { prompt: 'Rain on a roof' }],
}

/**
 * Returns code that calls a model. The user only needs to insert a key, and the ids and images of a drawing. Returns no
 * code if the gateway has no call for such models, such as for videos.
 */
export function snippetsFor(model: string, modality: Modality, address: string): Snippet[] {
  const base = address.replace(/\/+$/, '')
  const task = Object.hasOwn(TASKS, model) ? TASKS[model] : undefined
  if (task) return [curl(`${base}/${task[0]}`, task[1])]
  if (modality === 'image') {
    return [curl(`${base}/v1/images/generations`, { model, prompt: 'A lighthouse at dawn' })]
  }
  if (modality === 'embedding') return [curl(`${base}/v1/embeddings`, { model, input: 'Hello' })]
  if (modality === 'rerank') {
    return [curl(`${base}/v1/rerank`, { model, query: 'capital of France', documents: ['Paris', 'Berlin'] })]
  }
  if (modality === 'moderation') return [curl(`${base}/v1/moderations`, { model, input: 'Hello' })]
  if (modality === 'audio') return audioSnippets(model, base)
  if (modality === 'video') return []
  const chat = { model, messages: HELLO }
  return [curl(`${base}/v1/chat/completions`, chat), python(model, base), node(model, base), anthropic(model, base)]
}

function audioSnippets(model: string, base: string): Snippet[] {
  if (/realtime/i.test(model)) return [websocket(model, base)]
  if (/whisper|transcri/i.test(model)) return [transcription(model, base)]
  if (/tts|speech/i.test(model)) {
    return [curl(`${base}/v1/audio/speech`, { model, voice: 'alloy', input: 'Hello' })]
  }
  if (!/audio/i.test(model)) return []
  const audio = { voice: 'alloy', format: 'mp3' }
  return [curl(`${base}/v1/chat/completions`, { model, modalities: ['text', 'audio'], audio, messages: HELLO })]
}

const HELLO = [{ role: 'user', content: 'Hello' }]
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

const transcription = (model: string, base: string): Snippet => ({
  name: 'curl',
  code: `curl ${base}/v1/audio/transcriptions \\
${AUTHORIZATION} \\
  -F ${quote(`model=${model}`)} \\
  -F file=@speech.mp3`,
})

/** A command of https://github.com/websockets/wscat. */
const websocket = (model: string, base: string): Snippet => ({
  name: 'wscat',
  code: `npx wscat -c ${quote(`${base.replace(/^http/, 'ws')}/v1/realtime?model=${encodeURIComponent(model)}`)} \\
  -H "Authorization: Bearer $OPENAI_API_KEY"`,
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
