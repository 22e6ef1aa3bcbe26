import { isObject, type Json } from './json.ts'

/*
 * Texts are looked for in the whole body, and not field by field: an upstream reads fields that no dialect here knows,
 * and what a dialect forgot would be a way round the check. What cannot be meant for a model is left out by its name.
 */

/** Names whose values are words of the API, or ids. */
const NOT_WRITTEN = new Set(
  `role type id object status model service_tier voice size quality format response_format encoding_format detail
  user safety_identifier prompt_cache_key previous_response_id conversation item_id previous_item_id event_id call_id
  tool_call_id tool_use_id response_id file_id fileId container mime_type mimeType media_type mediaType signature
  thoughtSignature thought_signature encrypted_content reasoning_effort effort verbosity truncation tool_choice
  function_call modalities output_modalities responseModalities response_modalities include taskId
  customId botType notifyHook`.split(/\s+/),
)
/** Objects of which no model reads anything. */
const NOT_FOR_MODELS = new Set(['metadata', 'labels', 'cache_control', 'cacheControl', 'logit_bias'])
/** Names of pictures, sounds and files, or of their addresses. */
const MEDIA = new Set(
  `url uri image_url file_url fileUri file_uri image images mask audio video data file_data b64_json
  bytesBase64Encoded base64 base64Array sourceBase64 targetBase64 maskBase64`.split(/\s+/),
)
const ADDRESS = /^(https?|data|gs|s3|file):/i
/** So much of it tells that a text is none. Shorter ones are searched: that costs nothing. */
const BASE64 = /^[\w+/=-]{64}/
/** Arguments of a call are JSON in a text, in which any letter may stand as an escape. */
const ARGUMENTS = 'arguments'
const ESCAPE = /\\u([0-9a-f]{4})/gi
/** The results of a tool and its arguments are objects whose names and values are all the caller's own. */
const OWN = new Set(['args', 'inputs', 'arguments'])

/**
 * Every text that somebody may have written into a request, whatever its format: in messages, instructions, tools,
 * arguments and results of tools, and in fields that nobody here knows. Not what is in pictures, recordings and files,
 * not numbers that stand for text, not ids.
 */
export function writtenTexts(body: Readonly<Json>): string[] {
  const texts: string[] = []
  addObject(texts, body, false)
  return texts
}

/** `own`: all of it is the caller's, the names too. */
function addObject(texts: string[], object: Readonly<Json>, own: boolean): void {
  for (const name in object) {
    if (own) texts.push(name)
    const value = object[name]
    if (typeof value === 'string') {
      if (own || isWritten(name, value, object)) addText(texts, name, value)
    } else if (typeof value === 'object' && value !== null && (own || !NOT_FOR_MODELS.has(name))) {
      addInner(texts, name, value, own || isOwn(name, object))
    }
  }
}

function addInner(texts: string[], name: string, value: object, own: boolean): void {
  if (!Array.isArray(value)) {
    // Names of a tool's parameters.
    if (name === 'properties' && !own) texts.push(...Object.keys(value))
    addObject(texts, value as Json, own)
    return
  }
  for (const item of value as unknown[]) {
    if (typeof item === 'string') {
      if (own || (!NOT_WRITTEN.has(name) && !isMedium(name, item))) addText(texts, name, item)
    } else if (typeof item === 'object' && item !== null) addInner(texts, name, item, own)
  }
}

function isWritten(name: string, value: string, parent: Readonly<Json>): boolean {
  return !NOT_WRITTEN.has(name) && !(isMedium(name, value) && parent.type !== 'text')
}

function isMedium(name: string, value: string): boolean {
  return MEDIA.has(name) && (ADDRESS.test(value) || BASE64.test(value))
}

/** `input` and `response` are names of other things too. */
function isOwn(name: string, parent: Readonly<Json>): boolean {
  if (OWN.has(name)) return true
  if (name === 'input') return isObject(parent.input) && typeof parent.name === 'string'
  return name === 'response' && typeof parent.name === 'string'
}

function addText(texts: string[], name: string, text: string): void {
  if (text === '') return
  texts.push(text)
  if (name === ARGUMENTS && text.includes('\\u')) {
    texts.push(text.replace(ESCAPE, (_, unit: string) => String.fromCharCode(Number.parseInt(unit, 16))))
  }
}
