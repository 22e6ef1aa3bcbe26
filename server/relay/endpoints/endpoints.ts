import type { Operation } from '../../../core/channels/operations.ts'
import { speech, transcriptions } from './audio.ts'
import type { Endpoint } from './endpoint.ts'
import { imageEdits, images, imageVariations } from './images.ts'
import { embeddings, moderations, rerank } from './texts.ts'

/** Every endpoint that takes one request and gives one reply, and is no conversation. */
export const ENDPOINTS: Record<Exclude<Operation, 'chat' | 'realtime'>, Endpoint> = {
  embeddings,
  images,
  'image-edits': imageEdits,
  'image-variations': imageVariations,
  speech,
  transcriptions,
  // The same, into English.
  translations: transcriptions,
  moderations,
  rerank,
}
