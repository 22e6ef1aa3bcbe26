import type { IncomingHttpHeaders } from 'node:http'
import type { Said } from '../../../core/channels/health/said.ts'
import { isObject, parseObject } from '../json.ts'
import type { Upload } from '../providers/provider.ts'

/** Of a client's request all that an upstream may have read. */
export interface ClientRequest {
  /** The JSON body, or the fields of a form. */
  readonly body: unknown
  readonly upload?: Pick<Upload, 'files' | 'fields'>
  /** Without `?`. */
  readonly query?: string
  /** Those that an upstream may see. */
  readonly headers?: Readonly<Record<string, string>>
  /** All of them: a channel may repeat any. */
  readonly clientHeaders?: IncomingHttpHeaders
}

/** Forwarded headers that choose nothing: every client of Anthropic's has a version. */
const PLAIN_HEADERS = new Set(['anthropic-version', 'idempotency-key'])
/** Fields whose values are kept at the upstream, under the account of the channel or of somebody else. */
const KEPT = new Set(
  `previous_response_id conversation file_id file_ids fileId fileUri file_uri cachedContent cached_content container
  vector_store_id vector_store_ids thread_id item_reference prompt_id`.split(/\s+/),
)
const KEPT_ADDRESS = /^(gs:\/\/|https?:\/\/generativelanguage\.googleapis\.com\/)/i

/** What a client wrote, for telling an upstream's own words from its. `models`: as the client and as the upstream names it. */
export function saidBy(request: ClientRequest, models: readonly string[]): Said {
  const { body, upload, query = '', headers = {}, clientHeaders = {} } = request
  const found = { texts: [] as string[], names: [] as string[], kept: false }
  read(body, found, models)
  for (const { name, value } of upload?.fields ?? []) {
    found.names.push(name)
    // A model's name is one where it stands as such.
    if (name !== 'model') found.texts.push(value)
  }
  for (const { field, filename, mime } of upload?.files ?? []) found.texts.push(field, filename, mime)
  readQuery(query, found)
  for (const [name, value] of [...Object.entries(headers), ...Object.entries(clientHeaders)]) {
    found.names.push(name)
    for (const each of [value].flat()) {
      if (each === undefined) continue
      const parts = each.split(',').map((part) => part.trim())
      found.texts.push(each, ...(parts.length > 1 ? parts : []))
    }
  }
  const betas = isObject(body) && body.anthropic_beta !== undefined
  return {
    texts: found.texts.filter((text) => text !== ''),
    names: found.names,
    models,
    judged: betas || Object.keys(headers).some((name) => !PLAIN_HEADERS.has(name)),
    namesKept: found.kept,
  }
}

interface Found {
  texts: string[]
  names: string[]
  kept: boolean
}

/** Reads a whole JSON value. Arguments of calls are JSON in a text: an upstream may repeat them decoded. */
function read(body: unknown, found: Found, models: readonly string[]): void {
  const waiting: unknown[] = [body]
  while (waiting.length > 0) {
    const value = waiting.pop()
    if (typeof value === 'string') {
      found.texts.push(value)
      if (KEPT_ADDRESS.test(value)) found.kept = true
      const inner = /^\s*\{/.test(value) ? parseObject(value) : undefined
      if (inner) waiting.push(inner)
    } else if (Array.isArray(value)) for (const item of value) waiting.push(item)
    else if (isObject(value)) {
      for (const [name, inner] of Object.entries(value)) {
        found.names.push(name)
        if (KEPT.has(name) && inner !== null && inner !== '') found.kept = true
        if (value === body && name === 'model' && models.includes(inner as string)) continue
        waiting.push(inner)
      }
    }
  }
}

function readQuery(query: string, found: Found): void {
  if (query === '') return
  found.texts.push(query)
  for (const [name, value] of new URLSearchParams(query)) {
    found.names.push(name)
    if (name !== 'model') found.texts.push(value)
  }
}
