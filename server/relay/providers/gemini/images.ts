import { defined } from '../../../../core/records.ts'
import type { Body } from '../../dialects/dialect.ts'
import { refuse } from '../../dialects/refuse.ts'
import { type Json, lookup, objectsOf, textOf } from '../../json.ts'

const RATIOS: Readonly<Record<string, string>> = lookup({
  '256x256': '1:1',
  '512x512': '1:1',
  '1024x1024': '1:1',
  '1024x1792': '9:16',
  '1792x1024': '16:9',
})
/** Imagen up to version 4 does not support 3:2 and 2:3. It gets the nearest ratio that it supports. */
const NEWER_RATIOS: Readonly<Record<string, [newer: string, older: string]>> = lookup({
  '1536x1024': ['3:2', '4:3'],
  '1024x1536': ['2:3', '3:4'],
})
/** Prompt tokens to charge per image, because Imagen reports no usage. */
const IMAGE_TOKENS = 258

/** Converts an images request to Imagen's `predict`: https://ai.google.dev/gemini-api/docs/imagen */
export function imagesRequest(body: Body, model: string): Json {
  const { prompt, n } = body
  if (typeof prompt !== 'string' || prompt === '') refuse('field prompt is required')
  return {
    instances: [{ prompt }],
    parameters: defined({
      // Imagen's default is four images, but OpenAI's is one.
      sampleCount: n ?? 1,
      aspectRatio: aspectRatio(body, model),
      personGeneration: 'allow_adult',
    }),
  }
}

function aspectRatio({ size, aspect_ratio }: Body, model: string): string | undefined {
  const requestedRatio = textOf(aspect_ratio) ?? textOf(size)
  if (!requestedRatio || requestedRatio === 'auto') return undefined
  if (/^\d+:\d+$/.test(requestedRatio)) return requestedRatio
  const [newer, older] = NEWER_RATIOS[requestedRatio] ?? []
  const ratio = RATIOS[requestedRatio] ?? (/imagen-?[34]|imagegeneration/.test(model) ? older : newer)
  return (
    ratio ??
    refuse(
      `size ${requestedRatio} is not known to this upstream; use ${Object.keys({ ...RATIOS, ...NEWER_RATIOS }).join(', ')}`,
    )
  )
}

/** Converts the reply to OpenAI's format. If Imagen filtered every image, throws REQUEST_MALFORMED with its reason. */
export function imagesReply(reply: Json, created: number): Json {
  const predictions = objectsOf(reply.predictions)
  const data = predictions.flatMap(({ bytesBase64Encoded }) => {
    const b64_json = textOf(bytesBase64Encoded)
    return b64_json ? [{ b64_json }] : []
  })
  if (data.length === 0) {
    const reason = predictions.map(({ raiFilteredReason }) => textOf(raiFilteredReason)).find(Boolean)
    refuse(reason ?? 'the upstream made no picture of this prompt; word it differently')
  }
  const tokens = IMAGE_TOKENS * data.length
  return { created, data, usage: { prompt_tokens: tokens, completion_tokens: 0, total_tokens: tokens } }
}
