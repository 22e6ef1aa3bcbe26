import type { Conversation, Part } from '../conversation/conversation.ts'
import { readDataUrl } from '../conversation/media.ts'
import { refuse } from '../dialects/refuse.ts'
import { wordOf } from '../json.ts'
import { checkPlainReply } from './plain-conversation.ts'

/*
 * Converts conversations to prompts for a vendor's apps and bots. An app has its own model, tools and sampling, so a
 * request contains only text and files.
 */

/** The user id for apps that require a user id, if the client sends none. */
export const DEFAULT_USER = 'api-user'

/** Throws REQUEST_MALFORMED for features that an app does not support. Rejects tools only if a call is required. */
export function checkForApplication(conversation: Conversation): void {
  checkPlainReply(conversation)
  if (conversation.toolChoice?.mode === 'required') {
    refuse('tool_choice: this model is an app with its own tools and cannot call yours; leave tool_choice out')
  }
}

/** Returns all text of a turn in order. Calls and results become text, because apps have no fields for them. */
export function textOfTurn(parts: readonly Part[]): string {
  return parts.flatMap(textsOf).join('\n')
}

function textsOf(part: Part): string[] {
  switch (part.kind) {
    case 'text':
    case 'refusal':
      return part.text === '' ? [] : [part.text]
    case 'call':
      return [`[${part.name} was called with ${part.arguments || '{}'}]`]
    case 'result': {
      const resultText = textOfTurn(part.parts)
      return [`[${part.name ?? 'The tool'} answered${part.isError ? ' with an error' : ''}] ${resultText}`]
    }
    case 'file':
      return 'text' in part.media ? [part.media.text] : []
    default:
      return []
  }
}

/** A file of a conversation, by its URL or as bytes. */
export interface Attachment {
  readonly kind: 'image' | 'audio' | 'document'
  readonly name: string
  readonly source: { readonly url: string } | { readonly data: Buffer; readonly mime: string }
}

/**
 * Returns the files in parts and in tool results. Throws REQUEST_MALFORMED for parts, file ids and addresses that no
 * app accepts.
 */
export function attachmentsOf(parts: readonly Part[]): Attachment[] {
  return parts.flatMap((part): Attachment[] => {
    switch (part.kind) {
      case 'result':
        return attachmentsOf(part.parts)
      case 'image':
        return [{ kind: 'image', name: 'image', source: sourceOf(part.media) }]
      case 'audio': {
        const data = Buffer.from(part.data, 'base64')
        return [{ kind: 'audio', name: 'audio', source: { data, mime: `audio/${part.format}` } }]
      }
      case 'file':
        if ('text' in part.media) return []
        if ('id' in part.media) refuse('messages: the id of a stored file means nothing to this model; send the file')
        return [{ kind: 'document', name: part.name ?? 'file', source: sourceOf(part.media) }]
      case 'other':
        return refuse(`messages: this model does not accept parts of type ${wordOf(part.part.type)}`)
      default:
        return []
    }
  })
}

function sourceOf(media: { data: string; mime: string } | { url: string }): Attachment['source'] {
  if ('data' in media) return { data: Buffer.from(media.data, 'base64'), mime: media.mime }
  if (/^https?:/i.test(media.url)) return { url: media.url }
  const inline = readDataUrl(media.url)
  if (!inline) refuse('messages: this model takes files by http and https addresses, or as data URLs')
  return { data: Buffer.from(inline.data, 'base64'), mime: inline.mime }
}

/** Encodes a multipart form with the text `fields` and one file. */
export async function fileForm(
  { name, source: { data, mime } }: { name: string; source: { data: Buffer; mime: string } },
  fields: Readonly<Record<string, string>> = {},
): Promise<{ contentType: string; body: Buffer }> {
  const form = new FormData()
  for (const [field, value] of Object.entries(fields)) form.append(field, value)
  const extension = mime.split('/')[1]?.replace(/[^a-z0-9].*$/i, '') ?? ''
  // Services derive a file's type from the extension of its name.
  const filename = name.includes('.') || extension === '' ? name : `${name}.${extension}`
  form.append('file', new Blob([new Uint8Array(data)], { type: mime }), filename)
  const encoded = new Response(form)
  return { contentType: encoded.headers.get('content-type') ?? '', body: Buffer.from(await encoded.arrayBuffer()) }
}
