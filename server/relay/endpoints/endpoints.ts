import type { Operation } from '../../../core/channels/routing/operations.ts'
import { speech, transcriptions } from './audio.ts'
import type { Endpoint } from './endpoint.ts'
import { imageEdits, images, imageVariations } from './images.ts'
import { embeddings, moderations, rerank } from './texts.ts'

/** All endpoints with one request and one reply, except conversations. */
export const ENDPOINTS: Record<Exclude<Operation, 'chat' | 'realtime'>, Endpoint> = {
  embeddings,
  images,
  'image-edits': imageEdits,
  'image-variations': imageVariations,
  speech,
  transcriptions,
  // Translations into English have the same rules.
  translations: transcriptions,
  moderations,
  rerank,
}
