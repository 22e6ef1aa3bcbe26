import type { Operation } from '../../../core/channels/routing/operations.ts'
import { speech, transcriptions } from './audio.ts'
import type { Endpoint } from './endpoint.ts'
import { imageEdits, images, imageVariations } from './images.ts'
import { embeddings, moderations, rerank } from './texts.ts'

/** The endpoint of each operation, except conversations and realtime sessions. */
export const ENDPOINTS: Record<Exclude<Operation, 'chat' | 'realtime'>, Endpoint> = {
  embeddings,
  images,
  'image-edits': imageEdits,
  'image-variations': imageVariations,
  speech,
  transcriptions,
  // Translations of a recording into English have the same rules as transcriptions.
  translations: transcriptions,
  moderations,
  rerank,
}
