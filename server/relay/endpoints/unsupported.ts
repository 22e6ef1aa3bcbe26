/*
 * Paths of OpenAI's API that are known here and not served. They are answered 501 right after the key was checked, before a
 * model is looked for: most of them name none.
 */
export const UNSUPPORTED: readonly (readonly [method: 'GET' | 'POST' | 'DELETE', path: string])[] = [
  ['POST', '/v1/edits'],
  ['GET', '/v1/files'],
  ['POST', '/v1/files'],
  ['GET', '/v1/files/:id'],
  ['DELETE', '/v1/files/:id'],
  ['GET', '/v1/files/:id/content'],
  ['GET', '/v1/fine-tunes'],
  ['POST', '/v1/fine-tunes'],
  ['GET', '/v1/fine-tunes/:id'],
  ['POST', '/v1/fine-tunes/:id/cancel'],
  ['GET', '/v1/fine-tunes/:id/events'],
  ['DELETE', '/v1/models/:model'],
]

/** An old address of embeddings: `model` of the path counts where the body has none. */
export const ENGINE_EMBEDDINGS_PATH = '/v1/engines/:model/embeddings'
