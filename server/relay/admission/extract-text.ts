import type { Json } from '../json.ts'

/*
 * The check for sensitive words searches the whole body. A list of fields would be incomplete, because upstreams read
 * fields that no dialect here supports. A missing field would bypass the check. A field such as `id` is skipped only in
 * objects whose fields the APIs define. In objects that the client defines, `id` and `status` may contain text.
 */

const names = (list: string) => new Set(list.trim().split(/\s+/))

/**
 * Names of objects, or of lists of objects, whose fields the APIs define. In all other objects, the client chooses the
 * names.
 */
const KNOWN = names(`
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
const HEADS = names('session response')
/** Names of objects whose fields the APIs define, but only at the top level of a request. */
const IN_HEADS = names('input parameters')
/** Names of JSON Schemas, or of lists of JSON Schemas. */
const SCHEMAS = names(`
  parameters parametersJsonSchema parameters_json_schema input_schema inputSchema output_schema outputSchema schema
  responseSchema response_schema responseJsonSchema response_json_schema`)
/** Fields of a schema that contain a schema or a list of schemas. */
const SUBSCHEMAS = names(`
  items prefixItems additionalItems unevaluatedItems contains additionalProperties unevaluatedProperties propertyNames
  anyOf any_of oneOf allOf not if then else`)
/** Fields of a schema that contain schemas under names that the client chose. */
const NAMED_SCHEMAS = names('properties $defs definitions patternProperties dependentSchemas')
const SCHEMA_TYPE = /^(string|number|integer|boolean|object|array|null|type_unspecified)$/i

/** Names of fields that are skipped: their values are ids, or words that the API defines. */
const NOT_WRITTEN = names(`
  role type id object status model voice size quality format detail item_id previous_item_id event_id call_id
  tool_call_id tool_use_id response_id file_id fileId mime_type mimeType media_type mediaType responseMimeType
  response_mime_type signature thoughtSignature thought_signature encrypted_content effort verbosity modalities
  output_modalities responseModalities response_modalities`)
/** More names of such fields, but only at the top level of a request. */
const NOT_WRITTEN_IN_HEADS = names(`
  service_tier user safety_identifier prompt_cache_key previous_response_id conversation container response_format
  encoding_format reasoning_effort truncation tool_choice function_call include taskId customId botType notifyHook
  task_id continue_clip_id mv notify_hook`)
/** Names of objects at the top level of a request that no model reads. */
const NOT_FOR_MODELS = names('metadata labels logit_bias')
/** Names of fields for images, audio and files, or for URLs of them. */
const MEDIA = names(`
  url uri image_url file_url fileUri file_uri image images mask audio video data file_data b64_json
  bytesBase64Encoded base64 base64Array sourceBase64 targetBase64 maskBase64`)
const ADDRESS = /^(https?|data|gs|s3|file):/i
/** Text that starts with 64 such characters is base64. Shorter texts are searched, because that is cheap. */
const BASE64 = /^[\w+/=-]{64}/
/**
 * In objects that the client defines, the name and the start of a value do not prove that it is media. So the whole
 * value is checked.
 */
const PICTURE_OR_SOUND = /^data:(image|audio|video)\/[\w.+-]{1,64};base64,/
const NOT_BASE64 = /[^A-Za-z0-9+/=]/

/**
 * An escaped letter in a JSON text. Arguments and results of tools are JSON texts, in which any letter can be escaped.
 */
const ESCAPE = /(?<!\\)\\+u([0-9a-f]{4})/gi
/** Maximum rounds of removing escapes. A JSON text inside a JSON text has escaped escapes. */
const ESCAPED_TIMES_MAX = 3

/**
 * The kind of an object:
 * - `head`: a whole request
 * - `known`: an object inside a request whose fields the APIs define
 * - `schema`: a JSON Schema
 * - `named`: schemas under names that the client chose
 * - `own`: names and values that the client chose
 */
type Place = 'head' | 'known' | 'schema' | 'named' | 'own'

/**
 * Returns every text of a request in any format. Besides messages, this includes instructions, tools, their arguments
 * and results, documents, and unknown fields. Also returns texts with `\u` escapes in unescaped form. Skips images,
 * audio, files and ids.
 */
export function extractText(body: Readonly<Json>): string[] {
  const texts: Texts = { read: [], other: [] }
  addObject(texts, body, 'head', '')
  const all = [...texts.read, ...texts.other]
  let plain: readonly string[] = all
  for (let time = 0; time < ESCAPED_TIMES_MAX && plain.some((text) => text.includes('\\u')); time++) {
    const before = plain
    plain = before.map(withoutEscapes)
    if (plain.every((text, at) => text === before[at])) break
    all.push(...plain)
  }
  return all
}

/**
 * `read` contains the texts that a model reads as one, for example the parts of a message. They stay adjacent, because
 * a word may be split over two of them. `other` has all other texts.
 */
interface Texts {
  read: string[]
  other: string[]
}
const READ = names('text content contents parts input prompt system instructions thinking')

/** Adds the texts of an object. `above` is the name of the field that contains the object. */
function addObject(texts: Texts, object: Readonly<Json>, place: Place, above: string): void {
  for (const name in object) {
    if (place === 'own' || place === 'named') texts.other.push(name)
    const value = object[name]
    if (typeof value === 'string') {
      if (isWritten(name, value, place) || (MEDIA.has(name) && object.type === 'text')) {
        addText(texts, value, isRead(name, place))
      }
    } else if (typeof value === 'object' && value !== null && !(place === 'head' && NOT_FOR_MODELS.has(name))) {
      const inner = placeOf(name, value, { place, above })
      if (Array.isArray(value)) addList(texts, value, { name, place, inner })
      else addObject(texts, value as Json, inner, name)
    }
  }
}

/**
 * Adds the texts of a list. `place` is the kind of the object that contains the list. `inner` is the kind of the
 * objects in the list.
 */
function addList(texts: Texts, list: unknown[], at: { name: string; place: Place; inner: Place }): void {
  for (const item of list) {
    if (typeof item === 'string') {
      if (isWritten(at.name, item, at.place)) addText(texts, item, isRead(at.name, at.place))
    } else if (Array.isArray(item)) addList(texts, item, at)
    else if (typeof item === 'object' && item !== null) addObject(texts, item as Json, at.inner, at.name)
  }
}

function placeOf(name: string, value: object, { place, above }: { place: Place; above: string }): Place {
  if (place === 'own') return 'own'
  if (place === 'named') return 'schema'
  if (place === 'schema') return SUBSCHEMAS.has(name) ? 'schema' : NAMED_SCHEMAS.has(name) ? 'named' : 'own'
  if (place === 'head') {
    if (HEADS.has(name)) return 'head'
    if (IN_HEADS.has(name)) return 'known'
  }
  if (SCHEMAS.has(name)) return 'schema'
  // Arguments and results of tools are also in `input` and `output`. The client defines their fields.
  if (name === 'input') return above === 'audio' ? 'known' : 'own'
  if (name === 'output') return above === 'audio' || Array.isArray(value) ? 'known' : 'own'
  return KNOWN.has(name) ? 'known' : 'own'
}

function isWritten(name: string, value: string, place: Place): boolean {
  if (place === 'named') return true
  if (place === 'own') return !(MEDIA.has(name) && isPictureOrSound(value))
  if (place === 'schema') return !(name === 'type' && SCHEMA_TYPE.test(value))
  if (NOT_WRITTEN.has(name) || (place === 'head' && NOT_WRITTEN_IN_HEADS.has(name))) return false
  return !(MEDIA.has(name) && (ADDRESS.test(value) || BASE64.test(value)))
}

/**
 * Whether a model reads a text directly after its neighbors. In objects that the client defines, the names prove
 * nothing.
 */
function isRead(name: string, place: Place): boolean {
  return (place === 'head' || place === 'known') && READ.has(name)
}

function isPictureOrSound(value: string): boolean {
  const head = PICTURE_OR_SOUND.exec(value)?.[0]
  return head !== undefined && !NOT_BASE64.test(value.slice(head.length))
}

function addText(texts: Texts, text: string, isRead: boolean): void {
  if (text !== '') (isRead ? texts.read : texts.other).push(text)
}

function withoutEscapes(text: string): string {
  if (!text.includes('\\u')) return text
  return text.replace(ESCAPE, (_, unit: string) => String.fromCharCode(Number.parseInt(unit, 16)))
}
