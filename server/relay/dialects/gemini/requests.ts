import type { Json } from '../../json.ts'
import { isObject, objectOf, objectsOf } from '../../json.ts'
import { field } from './fields.ts'

/** What the path of a request of the Gemini API says. */
export interface GeminiPath {
  /** Without `models/`; a tuned model keeps `tunedModels/`, which is part of its name. */
  readonly model: string
  /** `generateContent`, …; undefined: the path names a model and nothing to do. */
  readonly method: string | undefined
}

/**
 * Reads `/v1beta/models/{model}:{method}`, in any version of the API. Names may have slashes and colons and be
 * percent-encoded. Undefined: it is no such path.
 */
export function readPath(path: string): GeminiPath | undefined {
  const found = /^\/v1(?:beta|alpha)?\d*\/(models|tunedModels)\/(.+)$/.exec(path.split('?')[0] ?? '')
  const rest = decoded(found?.[2])
  if (!found || rest === undefined) return undefined
  const colon = /:([A-Za-z]+)$/.exec(rest)
  const named = (colon ? rest.slice(0, colon.index) : rest).replace(/^models\//, '')
  if (named === '') return undefined
  const tuned = found[1] === 'tunedModels' ? 'tunedModels/' : ''
  return { model: tuned + named, method: colon?.[1] }
}

function decoded(text: string | undefined): string | undefined {
  try {
    return text === undefined ? undefined : decodeURIComponent(text)
  } catch {
    return undefined
  }
}

/** The request whose tokens a `countTokens` body wants counted: the body itself, or the one inside. */
export function countedRequest(body: Readonly<Json>): Json {
  const inner = field(body, 'generateContentRequest')
  return isObject(inner) ? inner : { ...body }
}

/** What `countTokens` answers: https://ai.google.dev/api/tokens */
export function countAnswer(totalTokens: number): Json {
  return { totalTokens, promptTokensDetails: [{ modality: 'TEXT', tokenCount: totalTokens }] }
}

const PAGE_SIZE = 1000

/**
 * `GET /v1beta/models`, page by page: https://ai.google.dev/api/models#method:-models.list. `query`: the client's, with
 * `pageSize` and `pageToken`.
 */
export function geminiModelList(ids: readonly string[], { query = '' }: { query?: string } = {}): Json {
  const wanted = new URLSearchParams(query)
  const size = wholeNumber(wanted.get('pageSize')) || PAGE_SIZE
  const start = wholeNumber(wanted.get('pageToken'))
  const end = start + size
  return {
    models: ids.slice(start, end).map(geminiModel),
    ...(end < ids.length && { nextPageToken: String(end) }),
  }
}

/** One model: https://ai.google.dev/api/models#Model */
export function geminiModel(id: string): Json {
  return {
    name: id.startsWith('tunedModels/') ? id : `models/${id}`,
    displayName: id,
    supportedGenerationMethods: methodsOf(id),
  }
}

function methodsOf(id: string): string[] {
  if (/embedding/.test(id)) return ['embedContent', 'batchEmbedContents']
  return /^imagen/.test(id) ? ['predict'] : ['generateContent', 'countTokens']
}

function wholeNumber(text: string | null): number {
  const value = Number(text)
  return Number.isInteger(value) && value > 0 ? value : 0
}

/** All texts of a content, for what takes nothing but text. */
export function textOfContent(content: unknown): string {
  if (typeof content === 'string') return content
  const { parts } = objectOf(content)
  return (isObject(parts) ? [parts] : objectsOf(parts))
    .map(({ text }) => (typeof text === 'string' ? text : ''))
    .filter(Boolean)
    .join('\n')
}
