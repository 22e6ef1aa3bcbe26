import type { LiveChannel } from '../../../../core/channels/routing/directory.ts'
import { GatewayError } from '../../../../core/errors.ts'
import { parseObject } from '../../../../core/input.ts'
import { recordOf } from '../../../../core/records.ts'
import type { Conversation, Turn } from '../../conversation/conversation.ts'
import { refuse } from '../../dialects/refuse.ts'
import { textOf } from '../../json.ts'
import {
  type Attachment,
  attachmentsOf,
  checkForApplication,
  DEFAULT_USER,
  fileForm,
  textOfTurn,
} from '../application-prompt.ts'
import { joinAddress } from '../openai/address.ts'
import { withThinkTags } from '../openai/think-tags.ts'
import { misconfigured, unsupported } from '../plan-errors.ts'
import type { Provider, ProviderContext } from '../provider.ts'
import { difyFailure } from './errors.ts'
import { difyReader } from './reader.ts'

/** Kinds of apps by the channel's `other`. `files`: the app accepts files. `streamsOnly`: it supports only streams. */
const APPS = {
  chat: { path: '/v1/chat-messages', files: true, streamsOnly: false },
  agent: { path: '/v1/chat-messages', files: false, streamsOnly: true },
  completion: { path: '/v1/completion-messages', files: true, streamsOnly: false },
  workflow: { path: '/v1/workflows/run', files: true, streamsOnly: false },
} as const
type App = keyof typeof APPS

/** Apps of Dify: https://docs.dify.ai/en/api-reference/chat-messages/send-chat-message */
export const dify: Provider = {
  failure: difyFailure,
  async plan(ask, channel, context) {
    if (ask.operation !== 'chat') unsupported('apps of Dify only converse')
    const app = appOf(channel)
    const conversation = ask.conversation()
    checkForApplication(conversation)
    const streams = ask.stream || APPS[app].streamsOnly
    const body = await requestBody(conversation, { app, channel, context })
    return {
      request: {
        url: joinAddress(channel.baseUrl, APPS[app].path),
        headers: {
          ...authorization(channel),
          'content-type': 'application/json',
          accept: streams ? 'text/event-stream' : 'application/json',
        },
        body: JSON.stringify({ ...body, response_mode: streams ? 'streaming' : 'blocking' }),
      },
      reader: withThinkTags(difyReader({ isWorkflow: app === 'workflow' })),
    }
  },
}

function appOf({ id, other }: LiveChannel): App {
  const appName = other.trim().toLowerCase() || 'chat'
  if (Object.hasOwn(APPS, appName)) return appName as App
  return misconfigured(id, `other must be one of ${Object.keys(APPS).join(', ')}, not "${other}"`)
}

async function requestBody(
  { turns, user = DEFAULT_USER, extras }: Conversation,
  { app, channel, context }: { app: App; channel: LiveChannel; context: ProviderContext },
): Promise<Record<string, unknown>> {
  const attachments = turns.flatMap(({ parts }) => attachmentsOf(parts))
  if (attachments.length && !APPS[app].files) {
    refuse('messages: this model is an agent, which takes no images and no files; send texts only')
  }
  const files = await Promise.all(attachments.map((attachment) => fileItem(attachment, { channel, context, user })))
  const query = joinTurns(turns)
  const inputs = recordOf(extras.inputs)
  if (app === 'workflow' || app === 'completion') return { inputs: { query, ...inputs }, user, files }
  return { inputs, query, user, conversation_id: '', files, auto_generate_name: false }
}

const SPEAKER: Record<Turn['role'], string> = { system: 'SYSTEM', user: 'USER', assistant: 'ASSISTANT' }

/** Joins the conversation into one text, because the gateway starts a new conversation of the app for each request. */
function joinTurns(turns: readonly Turn[]): string {
  const [first, ...others] = turns
  if (first?.role === 'user' && others.length === 0) return textOfTurn(first.parts)
  return turns.map(({ role, parts }) => `${SPEAKER[role]}: \n${textOfTurn(parts)}\n`).join('')
}

/** Returns an item of `files`. Uploads bytes to Dify, which downloads URLs itself. */
async function fileItem(
  { kind, name, source }: Attachment,
  { channel, context, user }: { channel: LiveChannel; context: ProviderContext; user: string },
): Promise<Record<string, string>> {
  if ('url' in source) return { type: kind, transfer_method: 'remote_url', url: source.url }
  const { contentType, body } = await fileForm({ name, source }, { user })
  const reply = await context.call({
    url: joinAddress(channel.baseUrl, '/v1/files/upload'),
    headers: { ...authorization(channel), 'content-type': contentType },
    body,
  })
  const text = reply.body.toString('utf8')
  const id = textOf(parseObject(text)?.id)
  if (id) return { type: kind, transfer_method: 'local_file', upload_file_id: id }
  if (reply.status === 413 || reply.status === 415) {
    refuse('messages: this model takes no file of that size or type')
  }
  throw new GatewayError('UPSTREAM_FAILED', {}, { cause: new Error(`The upload was answered with ${reply.status}`) })
}

function authorization({ key }: LiveChannel): Record<string, string> {
  return { authorization: `Bearer ${key.trim()}` }
}
