import type { IncomingHttpHeaders } from 'node:http'
import type { RequestEcho } from '../../../core/channels/health/request-echo.ts'
import { parseObject } from '../../../core/input.ts'
import { isRecord } from '../../../core/records.ts'
import type { Upload } from '../providers/provider.ts'

/** The parts of a client's request that may reach an upstream. */
export interface ClientRequest {
  /** The JSON body, or the fields of a form. */
  readonly body: unknown
  readonly upload?: Pick<Upload, 'files' | 'fields'>
  /** The query string without `?`. */
  readonly query?: string
  /** Headers that may be forwarded to an upstream. */
  readonly headers?: Readonly<Record<string, string>>
  /** All headers of the client, because a channel may forward any of them. */
  readonly clientHeaders?: IncomingHttpHeaders
}

/** Forwarded headers that request no special permission. Every Anthropic client sends a version. */
const PLAIN_HEADERS = new Set(['anthropic-version', 'idempotency-key'])
/**
 * Fields that name objects stored at the upstream. The objects may belong to the channel's account or to another
 * customer.
 */
const STORED_OBJECT_FIELDS = new Set(
  `previous_response_id conversation file_id file_ids fileId fileUri file_uri cachedContent cached_content container
  vector_store_id vector_store_ids thread_id item_reference prompt_id`.split(/\s+/),
)
const STORED_OBJECT_ADDRESS = /^(gs:\/\/|https?:\/\/generativelanguage\.googleapis\.com\/)/i

/**
 * Collects the texts and names in a client's request. If an upstream's error repeats them, they must not count as the
 * upstream's own words. `models` are the names of the model at the client and at the upstream.
 */
export function requestEchoOf(request: ClientRequest, models: readonly string[]): RequestEcho {
  const { body, upload, query = '', headers = {}, clientHeaders = {} } = request
  const collected = { texts: [] as string[], names: [] as string[], namesStoredObject: false }
  collectTexts(body, collected, models)
  for (const { name, value } of upload?.fields ?? []) {
    collected.names.push(name)
    // Skip the model, because `models` contains its name, which must match only as a whole word.
    if (name !== 'model') collected.texts.push(value)
  }
  for (const { field, filename, mime } of upload?.files ?? []) collected.texts.push(field, filename, mime)
  readQuery(query, collected)
  for (const [name, value] of [...Object.entries(headers), ...Object.entries(clientHeaders)]) {
    collected.names.push(name)
    for (const item of [value].flat()) {
      if (item === undefined) continue
      const parts = item.split(',').map((part) => part.trim())
      collected.texts.push(item, ...(parts.length > 1 ? parts : []))
    }
  }
  const hasBetas = isRecord(body) && body.anthropic_beta !== undefined
  return {
    texts: collected.texts.filter((text) => text !== ''),
    names: collected.names,
    models,
    hasPermissionHeaders: hasBetas || Object.keys(headers).some((name) => !PLAIN_HEADERS.has(name)),
    namesStoredObject: collected.namesStoredObject,
  }
}

interface CollectedTexts {
  texts: string[]
  names: string[]
  namesStoredObject: boolean
}

/**
 * Collects the texts and names in a JSON value. Also decodes JSON inside texts, such as arguments of tool calls,
 * because an upstream may repeat the decoded texts.
 */
function collectTexts(body: unknown, collected: CollectedTexts, models: readonly string[]): void {
  const pendingValues: unknown[] = [body]
  while (pendingValues.length > 0) {
    const value = pendingValues.pop()
    if (typeof value === 'string') {
      collected.texts.push(value)
      if (STORED_OBJECT_ADDRESS.test(value)) collected.namesStoredObject = true
      const inner = /^\s*\{/.test(value) ? parseObject(value) : undefined
      if (inner) pendingValues.push(inner)
    } else if (Array.isArray(value)) for (const item of value) pendingValues.push(item)
    else if (isRecord(value)) {
      for (const [name, inner] of Object.entries(value)) {
        collected.names.push(name)
        if (STORED_OBJECT_FIELDS.has(name) && inner !== null && inner !== '') collected.namesStoredObject = true
        if (value === body && name === 'model' && models.includes(inner as string)) continue
        pendingValues.push(inner)
      }
    }
  }
}

function readQuery(query: string, collected: CollectedTexts): void {
  if (query === '') return
  collected.texts.push(query)
  for (const [name, value] of new URLSearchParams(query)) {
    collected.names.push(name)
    if (name !== 'model') collected.texts.push(value)
  }
}
