import { isObject, type Json } from '../../json.ts'
import type { ProviderRequest } from '../provider.ts'

/** Vertex AI rejects contents without a role, which the Gemini API treats as the user's. */
export function withRoles({ raw, body }: Pick<ProviderRequest, 'raw' | 'body'>): { raw: Buffer; body: Readonly<Json> } {
  const contents = Array.isArray(body.contents) ? body.contents : [body.contents]
  if (contents.every((content) => !isObject(content) || content.role !== undefined)) return { raw, body }
  const withDefaults = {
    ...body,
    contents: contents.map((content) => (isObject(content) ? { role: 'user', ...content } : content)),
  }
  return { raw: Buffer.from(JSON.stringify(withDefaults)), body: withDefaults }
}
