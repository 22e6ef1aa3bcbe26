import { createHmac } from 'node:crypto'
import { parseObject } from '../../core/input.ts'
import type { NoticeKind, StoredNotice } from '../../core/notices/notice.ts'
import type { NoticeSettings } from '../../core/notices/schema.ts'
import { BARK_SERVER, TELEGRAM_SERVER } from '../../core/notices/settings.ts'
import type { NoticeText } from '../../core/notices/texts.ts'
import type { PostReply, PostRequest } from './post.ts'

interface WireInput {
  readonly deliveryId: number
  readonly notice: StoredNotice
  readonly text: NoticeText
  readonly settings: NoticeSettings
  /** Unix seconds. */
  readonly now: number
}

interface WireFormat {
  request(input: WireInput): PostRequest
  /** Returns the reason if a reply reports a failure in spite of a success status. Otherwise, returns undefined. */
  refusal?(reply: PostReply): string | undefined
}

/** Maximum length of a message. Telegram accepts 4096 characters, and Feishu and Slack accept more. */
const TEXT_LENGTH_MAX = 4000
/**
 * Maximum lengths for Bark, in characters. Apple's push service accepts 4096 bytes in total, and a Chinese character
 * takes three bytes.
 */
const BARK_TITLE_LENGTH_MAX = 200
const BARK_BODY_LENGTH_MAX = 1000

/** Returns the signature header. `t` is the time in unix seconds. `v1` is the HMAC-SHA256 of `t.body` in hex. */
function webhookSignatureOf(secret: string, { now, body }: { now: number; body: string }): string {
  return `t=${now},v1=${createHmac('sha256', secret).update(`${now}.${body}`).digest('hex')}`
}

const fullText = ({ title, body }: NoticeText): string =>
  [title, body]
    .filter((part) => part !== '')
    .join('\n')
    .slice(0, TEXT_LENGTH_MAX)

/** Tollgate's own format. The signature includes the time, like https://docs.stripe.com/webhooks#verify-manually. */
const webhook: WireFormat = {
  request({ deliveryId, notice, text, settings: { url = '', secret = '' }, now }) {
    const { id, event, created_at, subject, data } = notice
    const body = JSON.stringify({ id, event, created_at, subject, title: text.title, text: text.body, data })
    return {
      url,
      body,
      headers: {
        'tollgate-delivery': String(deliveryId),
        'tollgate-signature': webhookSignatureOf(secret, { now, body }),
      },
    }
  },
}

/** Plain text, without a parse mode: https://core.telegram.org/bots/api#sendmessage */
const telegram: WireFormat = {
  request: ({ text, settings: { bot_token = '', chat_id = '', base_url = TELEGRAM_SERVER } }) => ({
    url: `${base_url.replace(/\/+$/, '')}/bot${bot_token}/sendMessage`,
    body: JSON.stringify({ chat_id, text: fullText(text), link_preview_options: { is_disabled: true } }),
  }),
}

/**
 * https://open.larksuite.com/document/client-docs/bot-v3/add-custom-bot. The signature is the HMAC-SHA256 of an empty
 * text, keyed by time and secret. A failure has status 200 and a code in the body.
 */
const feishu: WireFormat = {
  request({ text, settings: { url = '', secret }, now }) {
    const message = { msg_type: 'text', content: { text: fullText(text) } }
    if (secret === undefined) return { url, body: JSON.stringify(message) }
    const sign = createHmac('sha256', `${now}\n${secret}`).update('').digest('base64')
    return { url, body: JSON.stringify({ timestamp: String(now), sign, ...message }) }
  },
  refusal(reply) {
    const { code, StatusCode = 0, msg } = parseObject(reply.text) ?? {}
    const errorCode = code ?? StatusCode
    return errorCode === 0 ? undefined : `code ${String(errorCode)}: ${typeof msg === 'string' ? msg : ''}`
  },
}

/** https://github.com/Finb/bark-server/blob/master/docs/API_V2.md */
const bark: WireFormat = {
  request: ({ text, settings: { device_key = '', base_url = BARK_SERVER } }) => ({
    url: `${base_url.replace(/\/+$/, '')}/push`,
    body: JSON.stringify({
      device_key,
      title: text.title.slice(0, BARK_TITLE_LENGTH_MAX),
      body: (text.body || text.title).slice(0, BARK_BODY_LENGTH_MAX),
      group: 'tollgate',
    }),
  }),
  refusal(reply) {
    const { code = 200, message } = parseObject(reply.text) ?? {}
    return code === 200 ? undefined : `code ${String(code)}: ${typeof message === 'string' ? message : ''}`
  },
}

/**
 * https://api.slack.com/messaging/webhooks. Mattermost, Discord's /slack URLs and others support the same format. Three
 * characters must be escaped: https://api.slack.com/reference/surfaces/formatting#escaping
 */
const slack: WireFormat = {
  request: ({ text, settings: { url = '' } }) => ({
    url,
    body: JSON.stringify({
      text: fullText(text).replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;'),
    }),
  }),
}

export const WIRE_FORMATS: Record<Exclude<NoticeKind, 'mail'>, WireFormat> = { webhook, telegram, feishu, bark, slack }
