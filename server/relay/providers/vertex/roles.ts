import { isObject, type Json } from '../../json.ts'
import type { Ask } from '../provider.ts'

/** Vertex AI refuses contents without a role, which mean the user at Google's other door. */
export function withRoles({ raw, body }: Pick<Ask, 'raw' | 'body'>): { raw: Buffer; body: Readonly<Json> } {
  const contents = Array.isArray(body.contents) ? body.contents : [body.contents]
  if (contents.every((content) => !isObject(content) || content.role !== undefined)) return { raw, body }
  const named = {
    ...body,
    contents: contents.map((content) => (isObject(content) ? { role: 'user', ...content } : content)),
  }
  return { raw: Buffer.from(JSON.stringify(named)), body: named }
}
