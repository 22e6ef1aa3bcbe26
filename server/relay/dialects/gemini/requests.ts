import { isRecord, recordOf } from '../../../../core/records.ts'
import type { Json } from '../../json.ts'
import { objectsOf } from '../../json.ts'
import { field } from './fields.ts'

/** The parts of a Gemini API path. */
interface GeminiPath {
  /** The model's name without `models/`. The name of a tuned model includes `tunedModels/`. */
  readonly model: string
  /** The method, such as `generateContent`. Undefined if the path has only a model. */
  readonly method: string | undefined
}

/**
 * Parses `/v1beta/models/{model}:{method}`, in any API version. Model names may contain slashes and colons, and may be
 * percent-encoded. Returns undefined for any other path.
 */
export function readPath(path: string): GeminiPath | undefined {
  const match = /^\/v1(?:beta|alpha)?\d*\/(models|tunedModels)\/(.+)$/.exec(path.split('?')[0] ?? '')
  const modelAndMethod = decodePath(match?.[2])
  if (!match || modelAndMethod === undefined) return undefined
  const colon = /:([A-Za-z]+)$/.exec(modelAndMethod)
  const modelName = (colon ? modelAndMethod.slice(0, colon.index) : modelAndMethod).replace(/^models\//, '')
  if (modelName === '') return undefined
  const tunedPrefix = match[1] === 'tunedModels' ? 'tunedModels/' : ''
  return { model: tunedPrefix + modelName, method: colon?.[1] }
}

function decodePath(text: string | undefined): string | undefined {
  try {
    return text === undefined ? undefined : decodeURIComponent(text)
  } catch {
    return undefined
  }
}

/** Returns the request whose tokens are to be counted: the body, or the request nested in the body. */
export function countedRequest(body: Readonly<Json>): Json {
  const inner = field(body, 'generateContentRequest')
  return isRecord(inner) ? inner : { ...body }
}

/** Returns the `countTokens` reply: https://ai.google.dev/api/tokens */
export function countReply(totalTokens: number): Json {
  return { totalTokens, promptTokensDetails: [{ modality: 'TEXT', tokenCount: totalTokens }] }
}

const PAGE_SIZE = 1000

/**
 * Returns a page of `GET /v1beta/models`: https://ai.google.dev/api/models#method:-models.list. `query` is the client's
 * query string, with `pageSize` and `pageToken`.
 */
export function geminiModelList(ids: readonly string[], { query = '' }: { query?: string } = {}): Json {
  const params = new URLSearchParams(query)
  const size = wholeNumber(params.get('pageSize')) || PAGE_SIZE
  const start = wholeNumber(params.get('pageToken'))
  const end = start + size
  return {
    models: ids.slice(start, end).map(geminiModel),
    ...(end < ids.length && { nextPageToken: String(end) }),
  }
}

/** Returns one model: https://ai.google.dev/api/models#Model */
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

/** Joins the texts of a content. Ignores media. */
export function textOfContent(content: unknown): string {
  if (typeof content === 'string') return content
  const { parts } = recordOf(content)
  return (isRecord(parts) ? [parts] : objectsOf(parts))
    .map(({ text }) => (typeof text === 'string' ? text : ''))
    .filter(Boolean)
    .join('\n')
}
