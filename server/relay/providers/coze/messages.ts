import type { LiveChannel } from '../../../../core/channels/routing/directory.ts'
import { GatewayError } from '../../../../core/errors.ts'
import { parseObject } from '../../../../core/input.ts'
import { recordOf } from '../../../../core/records.ts'
import type { Turn } from '../../conversation/conversation.ts'
import { textOf } from '../../json.ts'
import { type Attachment, attachmentsOf, fileForm, textOfTurn } from '../application-prompt.ts'
import { joinAddress } from '../openai/address.ts'
import type { ProviderContext } from '../provider.ts'

/** The channel, headers and services for uploading files. */
interface UploadContext {
  readonly channel: LiveChannel
  readonly headers: Record<string, string>
  readonly means: ProviderContext
}

/**
 * Converts a turn to a message. Returns undefined for a turn without content. Coze has only questions and answers, so
 * instructions become questions. https://www.coze.cn/docs/developer_guides/chat_v3
 */
export async function cozeMessage(
  { role, parts }: Turn,
  target: UploadContext,
): Promise<Record<string, unknown> | undefined> {
  const text = textOfTurn(parts)
  const attachments = attachmentsOf(parts)
  if (text === '' && attachments.length === 0) return undefined
  const sender = role === 'assistant' ? { role, type: 'answer' } : { role: 'user', type: 'question' }
  if (attachments.length === 0) return { ...sender, content: text, content_type: 'text' }
  const files = await Promise.all(attachments.map((attachment) => fileItem(attachment, target)))
  const items = text === '' ? files : [{ type: 'text', text }, ...files]
  return { ...sender, content: JSON.stringify(items), content_type: 'object_string' }
}

const ITEM_TYPES: Record<Attachment['kind'], string> = { image: 'image', audio: 'audio', document: 'file' }

async function fileItem(
  { kind, name, source }: Attachment,
  { channel, headers, means }: UploadContext,
): Promise<Record<string, string>> {
  const type = ITEM_TYPES[kind]
  if ('url' in source) return { type, file_url: source.url }
  const { contentType, body } = await fileForm({ name, source }, {})
  const reply = await means.call({
    url: joinAddress(channel.baseUrl, '/v1/files/upload'),
    headers: { ...headers, 'content-type': contentType },
    body,
  })
  const id = textOf(recordOf(parseObject(reply.body.toString('utf8'))?.data).id)
  if (id) return { type, file_id: id }
  throw new GatewayError('UPSTREAM_FAILED', {}, { cause: new Error(`The upload was answered with ${reply.status}`) })
}
