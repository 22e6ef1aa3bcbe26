import type { Params } from '../errors.ts'
import { fill } from './fill.ts'

interface Texts {
  readonly en: string
  readonly zh: string
}

/** Violations of a schema, by the keyword of JSON Schema. */
const VIOLATIONS: ReadonlyMap<string, Texts> = new Map(
  Object.entries({
    format: { en: '{field} must match format "{format}"', zh: '{field} 的格式必须是 {format}' },
    pattern: { en: '{field} must match pattern "{pattern}"', zh: '{field} 必须符合格式 {pattern}' },
    enum: { en: '{field} must be equal to one of the allowed values', zh: '{field} 不是允许的值' },
    const: { en: '{field} must be equal to constant', zh: '{field} 不是允许的值' },
    anyOf: { en: '{field} must match a schema in anyOf', zh: '{field} 不是允许的值' },
    oneOf: { en: '{field} must match exactly one schema in oneOf', zh: '{field} 不是允许的值' },
    maxItems: { en: '{field} must NOT have more than {limit} items', zh: '{field} 不能超过 {limit} 项' },
    minItems: { en: '{field} must NOT have fewer than {limit} items', zh: '{field} 不能少于 {limit} 项' },
    maxProperties: { en: '{field} must NOT have more than {limit} properties', zh: '{field} 不能超过 {limit} 个字段' },
    minProperties: { en: '{field} must NOT have fewer than {limit} properties', zh: '{field} 不能少于 {limit} 个字段' },
    additionalProperties: { en: '{field} must NOT have additional properties', zh: '{field} 包含未知字段' },
    uniqueItems: {
      en: '{field} must NOT have duplicate items (items ## {j} and {i} are identical)',
      zh: '{field} 的第 {j} 项和第 {i} 项重复',
    },
    multipleOf: { en: '{field} must be multiple of {multipleOf}', zh: '{field} 必须是 {multipleOf} 的倍数' },
  }),
)

/** Reasons inside messages. Reasons without a row, such as an upstream's words, are in English or as received. */
const REASONS = {
  // addresses and mails
  emailMalformed: { en: 'email is not a mail address', zh: '邮箱地址格式不正确' },
  mailAccount: {
    en: 'the mail server refused the account or its password',
    zh: '邮件服务器拒绝了账号或密码',
  },
  mailTimeout: { en: 'the mail server did not answer in time', zh: '邮件服务器响应超时' },
  mailUnknownHost: { en: 'the mail server was not found', zh: '找不到邮件服务器' },
  mailUnreachable: { en: 'the mail server cannot be reached', zh: '无法连接邮件服务器' },
  mailUnencrypted: {
    en: 'no encrypted connection to the mail server',
    zh: '无法与邮件服务器建立加密连接',
  },
  mailEnvelope: {
    en: 'the mail server refused the sender or the receiver',
    zh: '邮件服务器拒绝了发件人或收件人',
  },
  mailRefused: { en: 'the mail server refused the message', zh: '邮件服务器拒绝了邮件' },
  mailProtocol: {
    en: 'the reply of the mail server cannot be read',
    zh: '邮件服务器返回了无法识别的响应',
  },
  mailCertificate: {
    en: "the mail server's certificate is not trusted",
    zh: '邮件服务器的证书不受信任',
  },
  mailEnded: { en: 'the mail server ended the exchange', zh: '邮件服务器中断了会话' },
  // channels and upstreams
  typeUnassigned: { en: 'no upstream ever had this number', zh: '从未有上游使用过该编号' },
  noConnection: { en: 'no connection', zh: '无法建立连接' },
  notJsonObject: { en: 'it is not a JSON object', zh: '不是 JSON 对象' },
  notPicture: { en: 'it is not a picture', zh: '不是图片' },
  unknownHost: { en: 'its host is not known', zh: '找不到该主机' },
  // bodies of requests
  bodyNotDecompressed: { en: 'the body cannot be decompressed', zh: '请求体无法解压' },
  bodyUnreadable: { en: 'the body cannot be read', zh: '请求体无法读取' },
  bodyEnded: { en: 'the body ended early', zh: '请求体不完整' },
  bodyNotObject: { en: 'the body must be a JSON object', zh: '请求体必须是 JSON 对象' },
  tooMany: { en: 'it has more than {max} {what}', zh: '超过 {max} 个 {what}' },
  tooDeep: { en: 'it is nested more than {max} deep', zh: '嵌套超过 {max} 层' },
  // routing
  realtimeNeedsWebsocket: { en: 'a realtime session is a websocket', zh: '实时会话必须使用 WebSocket' },
  realtimeUnserved: {
    en: 'no channel serves realtime with the model {model}',
    zh: '没有渠道提供模型 {model} 的实时会话',
  },
  operationUnserved: {
    en: 'no channel serves {operation} with the model {model}',
    zh: '没有渠道为模型 {model} 提供 {operation}',
  },
  // copies of databases
  targetNotEmpty: { en: 'it has rows already: give an empty database', zh: '目标数据库已有数据，请使用空数据库' },
} as const satisfies Record<string, Texts>

export type ReasonName = keyof typeof REASONS

/** A reason as parameters of an error: in English, which logs contain, and in Chinese. */
export type Reason = Readonly<Record<'reason' | 'reason_zh', string>>

/** Returns a reason with its values, to be the parameters of an error. */
export function because(name: ReasonName, values: Params = {}): Reason {
  return filled(REASONS[name], values)
}

/** Returns the reason of a schema violation; undefined for keywords whose violations have no text here. */
export function violation(keyword: string, values: Params): Reason | undefined {
  const texts = VIOLATIONS.get(keyword)
  return texts && filled(texts, values)
}

const filled = ({ en, zh }: Texts, values: Params): Reason => ({
  reason: fill(en, values),
  reason_zh: fill(zh, values),
})
