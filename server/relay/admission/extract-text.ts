import type { Json } from '../json.ts'

/*
 * The check for sensitive words searches the whole body. A list of fields to search would be incomplete, because
 * upstreams read fields that no dialect here supports. A field such as `id` is skipped only in objects whose fields the
 * APIs define. In objects that the client defines, `id` and `status` may contain text.
 */

const wordSet = (list: string) => new Set(list.trim().split(/\s+/))

/**
 * Names of objects, or of lists of objects, whose fields the APIs define. In all other objects, the client chooses the
 * names.
 */
const API_OBJECTS = wordSet(`
  messages content contents parts part system systemInstruction system_instruction summary reasoning thinking
  tools tool_calls functions function custom grammar function_call functionCall functionResponse function_response functionDeclarations
  function_declarations tool_choice allowed_tools toolConfig tool_config functionCallingConfig function_calling_config
  action outcome operation filters ranking_options user_location userLocation approximate caller citations annotations
  source image image_url images input_image_mask input_audio input_image input_file file file_data fileData inlineData inline_data audio
  audio_url video video_url mask videoMetadata video_metadata cache_control cacheControl
  executableCode executable_code codeExecutionResult code_execution_result results outputs
  text format response_format json_schema output_config prediction logprobs top_logprobs
  generationConfig generation_config safetySettings safety_settings thinkingConfig thinking_config speechConfig
  speech_config voiceConfig voice_config prebuiltVoiceConfig prebuilt_voice_config imageConfig image_config
  stream_options web_search_options context_management edits trigger keep clear_at_least mcp_servers container skills
  instances requests prompt accountFilter
  item turn_detection transcription input_audio_transcription input_audio_noise_reduction noise_reduction`)
/** Names of complete requests inside an event of a realtime session. */
const INNER_REQUESTS = wordSet('session response')
/** Names of objects whose fields the APIs define, but only at the top level of a request. */
const API_OBJECTS_AT_TOP = wordSet('input parameters')
/** Names of JSON Schemas, or of lists of JSON Schemas. */
const SCHEMAS = wordSet(`
  parameters parametersJsonSchema parameters_json_schema input_schema inputSchema output_schema outputSchema schema
  responseSchema response_schema responseJsonSchema response_json_schema`)
/** Fields of a schema that contain a schema or a list of schemas. */
const SUBSCHEMAS = wordSet(`
  items prefixItems additionalItems unevaluatedItems contains additionalProperties unevaluatedProperties propertyNames
  anyOf any_of oneOf allOf not if then else`)
/** Fields of a schema that contain schemas under names that the client chose. */
const NAMED_SCHEMAS = wordSet('properties $defs definitions patternProperties dependentSchemas')
const SCHEMA_TYPE = /^(string|number|integer|boolean|object|array|null|type_unspecified)$/i

/** Names of fields that are skipped: their values are ids, or words that the API defines. */
const SKIPPED_FIELDS = wordSet(`
  role type id object status model voice size quality format detail item_id previous_item_id event_id call_id
  tool_call_id tool_use_id response_id file_id fileId mime_type mimeType media_type mediaType responseMimeType
  response_mime_type signature thoughtSignature thought_signature encrypted_content effort verbosity modalities
  output_modalities responseModalities response_modalities`)
/** Names of fields that are skipped only at the top level of a request. */
const SKIPPED_TOP_FIELDS = wordSet(`
  service_tier user safety_identifier prompt_cache_key previous_response_id conversation container response_format
  encoding_format reasoning_effort truncation tool_choice function_call include taskId customId botType notifyHook
  task_id continue_clip_id mv notify_hook`)
/** Names of objects that no model reads, at the top level of a request. */
const SKIPPED_TOP_OBJECTS = wordSet('metadata labels logit_bias')
/** Names of fields for images, audio and files, or for their URLs. */
const MEDIA = wordSet(`
  url uri image_url file_url fileUri file_uri image images mask audio video data file_data b64_json
  bytesBase64Encoded base64 base64Array sourceBase64 targetBase64 maskBase64`)
const ADDRESS = /^(https?|data|gs|s3|file):/i
/** A text that starts with 64 of these characters counts as base64, which is not searched. */
const BASE64 = /^[\w+/=-]{64}/
/**
 * In objects that the client defines, a field's name and the start of its value do not prove that the value is media.
 * So the whole value is checked.
 */
const MEDIA_DATA_URL = /^data:(image|audio|video)\/[\w.+-]{1,64};base64,/
const NOT_BASE64 = /[^A-Za-z0-9+/=]/

/** An escaped letter in a JSON text, for example in the arguments of a tool. */
const ESCAPE = /(?<!\\)\\+u([0-9a-f]{4})/gi
/** Maximum rounds of removing escapes. A JSON text inside a JSON text has escaped escapes. */
const ESCAPED_TIMES_MAX = 3

/**
 * The kind of an object:
 * - `request`: a whole request
 * - `api`: an object inside a request; the APIs define its fields
 * - `schema`: a JSON Schema
 * - `named`: schemas under names that the client chose
 * - `client`: names and values that the client chose
 */
type ObjectKind = 'request' | 'api' | 'schema' | 'named' | 'client'

/**
 * Returns every text of a request in any format. Besides messages, reads instructions, tools, their arguments and
 * results, documents, and unknown fields. Also returns texts with `\u` escapes in unescaped form. Skips images,
 * audio, files and ids.
 */
export function extractText(body: Readonly<Json>): string[] {
  const texts: Texts = { adjacent: [], other: [] }
  addObject(texts, body, 'request', '')
  const all = [...texts.adjacent, ...texts.other]
  let unescaped: readonly string[] = all
  for (let round = 0; round < ESCAPED_TIMES_MAX && unescaped.some((text) => text.includes('\\u')); round++) {
    const before = unescaped
    unescaped = before.map(withoutEscapes)
    if (unescaped.every((text, at) => text === before[at])) break
    all.push(...unescaped)
  }
  return all
}

/**
 * `adjacent` has texts that a model reads as one text, for example the parts of a message. They stay together, because
 * a word may be split over two parts. `other` has all other texts.
 */
interface Texts {
  adjacent: string[]
  other: string[]
}
const ADJACENT_FIELDS = wordSet('text content contents parts input prompt system instructions thinking')

/** Adds the texts of an object. `above` is the name of the field that contains the object. */
function addObject(texts: Texts, object: Readonly<Json>, kind: ObjectKind, above: string): void {
  for (const name in object) {
    if (kind === 'client' || kind === 'named') texts.other.push(name)
    const value = object[name]
    if (typeof value === 'string') {
      if (isSearched(name, value, kind) || (MEDIA.has(name) && object.type === 'text')) {
        addText(texts, value, isAdjacent(name, kind))
      }
    } else if (typeof value === 'object' && value !== null && !(kind === 'request' && SKIPPED_TOP_OBJECTS.has(name))) {
      const inner = kindOf(name, value, { kind, above })
      if (Array.isArray(value)) addList(texts, value, { name, kind, inner })
      else addObject(texts, value as Json, inner, name)
    }
  }
}

/**
 * Adds the texts of a list. `kind` is the kind of the object that contains the list. `inner` is the kind of the objects
 * in the list.
 */
function addList(texts: Texts, list: unknown[], field: { name: string; kind: ObjectKind; inner: ObjectKind }): void {
  for (const item of list) {
    if (typeof item === 'string') {
      if (isSearched(field.name, item, field.kind)) addText(texts, item, isAdjacent(field.name, field.kind))
    } else if (Array.isArray(item)) addList(texts, item, field)
    else if (typeof item === 'object' && item !== null) addObject(texts, item as Json, field.inner, field.name)
  }
}

function kindOf(name: string, value: object, { kind, above }: { kind: ObjectKind; above: string }): ObjectKind {
  if (kind === 'client') return 'client'
  if (kind === 'named') return 'schema'
  if (kind === 'schema') return SUBSCHEMAS.has(name) ? 'schema' : NAMED_SCHEMAS.has(name) ? 'named' : 'client'
  if (kind === 'request') {
    if (INNER_REQUESTS.has(name)) return 'request'
    if (API_OBJECTS_AT_TOP.has(name)) return 'api'
  }
  if (SCHEMAS.has(name)) return 'schema'
  // Arguments and results of tools are also in `input` and `output`. The client defines their fields.
  if (name === 'input') return above === 'audio' ? 'api' : 'client'
  if (name === 'output') return above === 'audio' || Array.isArray(value) ? 'api' : 'client'
  return API_OBJECTS.has(name) ? 'api' : 'client'
}

function isSearched(name: string, value: string, kind: ObjectKind): boolean {
  if (kind === 'named') return true
  if (kind === 'client') return !(MEDIA.has(name) && isMediaDataUrl(value))
  if (kind === 'schema') return !(name === 'type' && SCHEMA_TYPE.test(value))
  if (SKIPPED_FIELDS.has(name) || (kind === 'request' && SKIPPED_TOP_FIELDS.has(name))) return false
  return !(MEDIA.has(name) && (ADDRESS.test(value) || BASE64.test(value)))
}

/**
 * Whether a model may read a text and its neighbors as one text. False in objects that the client defines, whose field
 * names do not show this.
 */
function isAdjacent(name: string, kind: ObjectKind): boolean {
  return (kind === 'request' || kind === 'api') && ADJACENT_FIELDS.has(name)
}

function isMediaDataUrl(value: string): boolean {
  const prefix = MEDIA_DATA_URL.exec(value)?.[0]
  return prefix !== undefined && !NOT_BASE64.test(value.slice(prefix.length))
}

function addText(texts: Texts, text: string, isAdjacent: boolean): void {
  if (text !== '') (isAdjacent ? texts.adjacent : texts.other).push(text)
}

function withoutEscapes(text: string): string {
  if (!text.includes('\\u')) return text
  return text.replace(ESCAPE, (_, unit: string) => String.fromCharCode(Number.parseInt(unit, 16)))
}
