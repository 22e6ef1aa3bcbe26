/*
 * Known paths of OpenAI's API that are not supported. They return 501 right after the key check, before a model is required:
 * most of them name none.
 */
export const UNSUPPORTED: readonly (readonly [method: 'GET' | 'POST' | 'DELETE', path: string])[] = [
  ['POST', '/v1/edits'],
  ['GET', '/v1/fine-tunes'],
  ['POST', '/v1/fine-tunes'],
  ['GET', '/v1/fine-tunes/:id'],
  ['POST', '/v1/fine-tunes/:id/cancel'],
  ['GET', '/v1/fine-tunes/:id/events'],
  ['DELETE', '/v1/models/:model'],
]

/** OpenAI's old path of embeddings; the path's `model` applies if the body has none. */
export const ENGINE_EMBEDDINGS_PATH = '/v1/engines/:model/embeddings'
