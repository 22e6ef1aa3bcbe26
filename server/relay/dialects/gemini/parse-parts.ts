import { isRecord, recordOf } from '../../../../core/records.ts'
import type { CallPart, Part, ResultPart } from '../../conversation/conversation.ts'
import { type Json, lookup, objectsOf, textOf, wordOf } from '../../json.ts'
import { refuse } from '../refuse.ts'
import { field } from './fields.ts'
import { decodeSignature } from './signatures.ts'

const AUDIO_FORMATS: Readonly<Record<string, string>> = lookup({
  'audio/wav': 'wav',
  'audio/x-wav': 'wav',
  'audio/mpeg': 'mp3',
  'audio/mp3': 'mp3',
  'audio/flac': 'flac',
  'audio/ogg': 'opus',
  'audio/pcm': 'pcm16',
})

/** Assigns ids to the calls of one conversation, and finds the call of each result. */
type CallIds = ReturnType<typeof createCallIds>

/**
 * Derives missing call ids from the function name and the position, so that the ids are the same in each request of a
 * conversation. A result without an id belongs to the first call of the same function that has no result yet.
 */
export function createCallIds() {
  const openCalls: { id: string; name: string }[] = []
  let count = 0
  return {
    call(name: string, clientId: string | undefined): string {
      const id = clientId ?? `call_${name}_${count}`
      count += 1
      openCalls.push({ id, name })
      return id
    },
    /** Returns the id of the call to which a result belongs. */
    result(name: string, clientId: string | undefined): string {
      const index = openCalls.findIndex((call) => (clientId === undefined ? call.name === name : call.id === clientId))
      const [matchingCall] = index < 0 ? [] : openCalls.splice(index, 1)
      return clientId ?? matchingCall?.id ?? `call_${name}`
    },
  }
}

/**
 * Converts a part to neutral parts. Throws REQUEST_MALFORMED for an unknown part. `at` is the path of the part, for
 * error messages.
 */
export function partOf(part: Json, { at, names }: { at: string; names: CallIds }): Part[] {
  if (typeof part.text === 'string') return [textPart(part, part.text)]
  const data = field(part, 'inlineData')
  if (isRecord(data)) return [inlinePart(data, at)]
  const file = field(part, 'fileData')
  if (isRecord(file)) return [filePart(file, at)]
  const call = field(part, 'functionCall')
  if (isRecord(call)) return [callPart(call, part, names)]
  const result = field(part, 'functionResponse')
  if (isRecord(result)) return [resultPart(result, { at, names })]
  const code = codeText(part)
  if (code !== undefined) return [{ kind: 'text', text: code }]
  return Object.keys(part).every((name) => AUXILIARY_FIELDS.has(name))
    ? []
    : refuse(`${at} has none of text, inlineData, fileData, functionCall and functionResponse`)
}
/** Fields that only describe another field of the same part. */
const AUXILIARY_FIELDS = new Set([
  'thought',
  'thoughtSignature',
  'thought_signature',
  'videoMetadata',
  'video_metadata',
])

function textPart(part: Json, text: string): Part {
  if (part.thought !== true) return { kind: 'text', text }
  // Gemini signs only calls and text. So this is a signature of another vendor, from an earlier reply of the gateway.
  const signature = textOf(field(part, 'thoughtSignature'))
  return { kind: 'reasoning', text, ...(signature && { signature: decodeSignature(signature) }) }
}

function inlinePart(blob: Json, at: string): Part {
  const mime = (textOf(field(blob, 'mimeType')) ?? '').toLowerCase().split(';')[0] ?? ''
  const data = textOf(blob.data) ?? refuse(`${at}.inlineData has no data`)
  if (mime.startsWith('image/'))
    return { kind: 'image', media: { data, mime: mime === 'image/jpg' ? 'image/jpeg' : mime } }
  if (mime.startsWith('audio/'))
    return { kind: 'audio', data, format: AUDIO_FORMATS[mime] ?? mime.slice('audio/'.length) }
  const name = textOf(field(blob, 'displayName'))
  return { kind: 'file', media: { data, mime: mime || 'application/octet-stream' }, ...(name && { name }) }
}

function filePart(file: Json, at: string): Part {
  const url = textOf(field(file, 'fileUri')) ?? refuse(`${at}.fileData has no fileUri`)
  const mime = textOf(field(file, 'mimeType'))
  const media = { url, ...(mime && { mime }) }
  const looksLikeImage = mime ? mime.startsWith('image/') : /\.(png|jpe?g|gif|webp)$/i.test(url.split('?')[0] ?? '')
  return { kind: looksLikeImage ? 'image' : 'file', media }
}

function callPart(call: Json, part: Json, names: CallIds): CallPart {
  const name = textOf(call.name) ?? ''
  const signature = textOf(field(part, 'thoughtSignature'))
  return {
    kind: 'call',
    id: names.call(name, textOf(call.id)),
    name,
    arguments: JSON.stringify(recordOf(call.args)),
    ...(signature && { signature: decodeSignature(signature) }),
  }
}

function resultPart(result: Json, { at, names }: { at: string; names: CallIds }): ResultPart {
  const name = textOf(result.name) ?? ''
  const media = objectsOf(result.parts).flatMap((part) => partOf(part, { at, names }))
  return {
    kind: 'result',
    callId: names.result(name, textOf(result.id)),
    ...(name && { name }),
    ...responseOf(result.response, media),
  }
}

/** Reads a tool result: the only field if it is `output`, `result` or `error`, or else the whole response. */
function responseOf(response: unknown, media: readonly Part[]): Pick<ResultPart, 'parts' | 'isError'> {
  const parts = (text: string): Part[] => [{ kind: 'text', text }, ...media]
  if (!isRecord(response))
    return { parts: parts(typeof response === 'string' ? response : JSON.stringify(response ?? {})) }
  const [[name, value] = ['', undefined], ...others] = Object.entries(response)
  const onlyText = others.length === 0 && typeof value === 'string' ? value : undefined
  if (onlyText !== undefined && name === 'error') return { parts: parts(onlyText), isError: true }
  if (onlyText !== undefined && (name === 'output' || name === 'result')) return { parts: parts(onlyText) }
  return { parts: parts(JSON.stringify(response)) }
}

/** Returns executed code, or the output of code, as Markdown. */
function codeText(part: Json): string | undefined {
  const code = field(part, 'executableCode')
  if (isRecord(code)) return `\`\`\`${wordOf(code.language ?? '').toLowerCase()}\n${textOf(code.code) ?? ''}\n\`\`\`\n`
  const result = field(part, 'codeExecutionResult')
  return isRecord(result) ? `\`\`\`\n${textOf(result.output) ?? wordOf(result.outcome ?? '')}\n\`\`\`\n` : undefined
}
