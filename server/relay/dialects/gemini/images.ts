import { defined, recordOf } from '../../../../core/records.ts'
import { type Json, lookup, objectsOf, textOf } from '../../json.ts'
import type { Body } from '../dialect.ts'
import { refuse } from '../refuse.ts'
import type { Translation } from './embeddings.ts'
import { field } from './fields.ts'

const SIZES: Readonly<Record<string, string>> = lookup({
  '1:1': '1024x1024',
  '9:16': '1024x1792',
  '16:9': '1792x1024',
  '3:2': '1536x1024',
  '4:3': '1536x1024',
  '2:3': '1024x1536',
  '3:4': '1024x1536',
})

/** Translates Imagen's `predict`: https://ai.google.dev/gemini-api/docs/imagen */
export function predictImages(model: string): Translation {
  return {
    request(body) {
      const prompt = textOf(objectsOf(body.instances)[0]?.prompt) ?? refuse('instances[0].prompt is required')
      const parameters = recordOf(body.parameters)
      const ratio = textOf(field(parameters, 'aspectRatio'))
      return defined({
        model,
        prompt,
        n: field(parameters, 'sampleCount'),
        size: ratio === undefined ? undefined : (SIZES[ratio] ?? refuse(`parameters.aspectRatio ${ratio} is unknown`)),
        response_format: 'b64_json',
      })
    },
    reply: (body: Body): Json => ({
      predictions: objectsOf(body.data).map(({ b64_json }) => ({
        mimeType: mimeOf(textOf(b64_json) ?? ''),
        bytesBase64Encoded: b64_json,
      })),
    }),
  }
}

/** Returns an image's MIME type, detected from the first bytes. Other images than JPEG and WebP count as PNG. */
function mimeOf(base64: string): string {
  if (base64.startsWith('/9j/')) return 'image/jpeg'
  return base64.startsWith('UklGR') ? 'image/webp' : 'image/png'
}
