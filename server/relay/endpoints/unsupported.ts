/**
 * Paths of OpenAI's API that are not supported. They return 501 directly after the check of the key, because most of
 * these requests name no model.
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

/** OpenAI's former path of embeddings. If the body names no model, the model in the path applies. */
export const ENGINE_EMBEDDINGS_PATH = '/v1/engines/:model/embeddings'
