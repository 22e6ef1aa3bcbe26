import { parseObject } from '../../../../core/input.ts'
import type {
  AudioPart,
  CallPart,
  FilePart,
  ImagePart,
  Media,
  Part,
  ResultPart,
} from '../../conversation/conversation.ts'
import { readDataUrl } from '../../conversation/media.ts'
import { argumentsObject, textOfParts } from '../../conversation/turns.ts'
import { refuse } from '../../dialects/refuse.ts'
import { type Json, lookup, wordOf } from '../../json.ts'

export interface PartOptions {
  /** Whether calls and results have ids. Vertex AI and API version `v1` have no field for ids. */
  readonly hasCallIds: boolean
  /** Returns the signature of a call, if the gateway has it. */
  signatureOf(call: CallPart): string | undefined
}

const AUDIO_MIMES: Readonly<Record<string, string>> = lookup({
  wav: 'audio/wav',
  mp3: 'audio/mp3',
  flac: 'audio/flac',
  opus: 'audio/ogg',
  pcm16: 'audio/pcm',
})

/** Whether Gemini itself reads a URL: its own files, Cloud Storage and YouTube. The gateway downloads other URLs. */
export function isGoogleFile(url: string): boolean {
  return (
    url.startsWith('gs://') ||
    /^https:\/\/generativelanguage\.googleapis\.com\/.*files\//.test(url) ||
    /^https:\/\/(www\.)?(youtube\.com\/|youtu\.be\/)/.test(url)
  )
}

/** Converts a part of a turn to zero or more parts of a `Content`. https://ai.google.dev/api/caching#Part */
export function writePart(part: Part, options: PartOptions): Json[] {
  switch (part.kind) {
    case 'text':
    case 'refusal':
      return part.text === '' ? [] : [{ text: part.text }]
    // Gemini does not read earlier reasoning.
    case 'reasoning':
      return []
    case 'image':
    case 'file':
      return [mediaPart(part)]
    case 'audio':
      return [{ inlineData: { mimeType: audioMime(part), data: part.data } }]
    case 'call':
      return [callPart(part, options)]
    case 'result':
      return [
        resultPart(part, options),
        ...part.parts.filter(({ kind }) => kind !== 'text').flatMap((inner) => writePart(inner, options)),
      ]
    case 'other':
      return refuse(
        `a message has a part of type ${wordOf(part.part.type)}, which this upstream does not understand; send text, images, audio or files`,
      )
  }
}

function callPart(call: CallPart, { hasCallIds, signatureOf }: PartOptions): Json {
  const signature = signatureOf(call)
  return {
    functionCall: {
      ...(hasCallIds && call.id !== '' && { id: call.id }),
      name: call.name,
      args: argumentsObject(call),
    },
    ...(signature !== undefined && { thoughtSignature: signature }),
  }
}

function resultPart({ callId, name, parts, isError }: ResultPart, { hasCallIds }: PartOptions): Json {
  const text = textOfParts(parts, '\n')
  const response = isError ? { error: text } : (parseObject(text) ?? { output: text })
  return { functionResponse: { ...(hasCallIds && callId !== '' && { id: callId }), name: name ?? callId, response } }
}

function audioMime({ format }: AudioPart): string {
  return AUDIO_MIMES[format] ?? (format.includes('/') ? format : `audio/${format}`)
}

function mediaPart({ kind, media }: ImagePart | FilePart): Json {
  if ('text' in media) return { text: media.text }
  if ('id' in media) {
    return refuse('a message has a file_id, which only its own vendor can read; send file_data instead')
  }
  return kind === 'image' || 'data' in media ? dataPart(media, 'image/jpeg') : dataPart(media)
}

function dataPart(media: Media, mime?: string): Json {
  const source = 'url' in media ? (readDataUrl(media.url) ?? media) : media
  if ('data' in source) return { inlineData: { mimeType: source.mime, data: source.data } }
  if (!/^(https?|gs):\/\/[^\s]/i.test(source.url)) {
    return refuse(`a message has media at ${quotedUrl(source.url)}; send an http, https or data address`)
  }
  // Do not guess the media type of YouTube videos and of Gemini's own files.
  const mimeType = source.mime ?? (isGoogleFile(source.url) && !source.url.startsWith('gs://') ? undefined : mime)
  return { fileData: { ...(mimeType && { mimeType }), fileUri: source.url } }
}

const quotedUrl = (url: string): string => JSON.stringify(url.length > 60 ? `${url.slice(0, 60)}…` : url)
