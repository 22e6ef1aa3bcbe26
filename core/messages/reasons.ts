/**
 * Chinese texts of reasons in messages. Code passes reasons in English, with values in place of `{…}`. Texts without a row are
 * names, values or third-party messages, and are shown unchanged.
 */
const REASONS: readonly (readonly [en: string, zh: string])[] = [
  // addresses and mails
  ['email is not a mail address', '邮箱地址格式不正确'],
  ['the mail server refused the account or its password', '邮件服务器拒绝了账号或密码'],
  ['the mail server did not answer in time', '邮件服务器响应超时'],
  ['the mail server was not found', '找不到邮件服务器'],
  ['the mail server cannot be reached', '无法连接邮件服务器'],
  ['no encrypted connection to the mail server', '无法与邮件服务器建立加密连接'],
  ['the mail server refused the sender or the receiver', '邮件服务器拒绝了发件人或收件人'],
  ['the mail server refused the message', '邮件服务器拒绝了邮件'],
  ['the mail server gave an answer that is none', '邮件服务器返回了无法识别的响应'],
  ["the mail server's certificate is not trusted", '邮件服务器的证书不受信任'],
  ['the mail server ended the exchange', '邮件服务器中断了会话'],
  // schema violations
  ['{field} must match format "{format}"', '{field} 的格式必须是 {format}'],
  ['{field} must match pattern "{pattern}"', '{field} 必须符合格式 {pattern}'],
  ['{field} must be equal to one of the allowed values', '{field} 不是允许的值'],
  ['{field} must be equal to constant', '{field} 不是允许的值'],
  ['{field} must match a schema in anyOf', '{field} 不是允许的值'],
  ['{field} must match exactly one schema in oneOf', '{field} 不是允许的值'],
  ['{field} must NOT have more than {count} items', '{field} 不能超过 {count} 项'],
  ['{field} must NOT have fewer than {count} items', '{field} 不能少于 {count} 项'],
  ['{field} must NOT have more than {count} properties', '{field} 不能超过 {count} 个字段'],
  ['{field} must NOT have fewer than {count} properties', '{field} 不能少于 {count} 个字段'],
  ['{field} must NOT have additional properties', '{field} 包含未知字段'],
  ['{field} must NOT have duplicate items (items ## {a} and {b} are identical)', '{field} 的第 {a} 项和第 {b} 项重复'],
  ['{field} must be multiple of {step}', '{field} 必须是 {step} 的倍数'],
  // impossible channel types
  [
    'Google has shut the PaLM API down; create a channel of type 24 (Google Gemini) instead',
    '谷歌已关闭 PaLM API，请改用类型 24（Google Gemini）',
  ],
  ['its vendor has shut the library down', '提供商已关闭该知识库'],
  ['no upstream ever had this number', '从未有上游使用过该编号'],
  // bodies
  ['the body cannot be decompressed', '请求体无法解压'],
  ['the body cannot be read', '请求体无法读取'],
  ['the body ended early', '请求体不完整'],
  ['the body must be a JSON object', '请求体必须是 JSON 对象'],
  ['it is not a JSON object', '不是 JSON 对象'],
  ['it has more than {count} {what}', '超过 {count} 个 {what}'],
  ['it is nested more than {depth} deep', '嵌套超过 {depth} 层'],
  ['it is not a picture', '不是图片'],
  ['its host is not known', '找不到该主机'],
  ['no connection', '无法建立连接'],
  ['a realtime session is a websocket', '实时会话必须使用 WebSocket'],
  // routing
  ['no channel serves realtime with the model {model}', '没有渠道提供模型 {model} 的实时会话'],
  ['no channel serves {operation} with the model {model}', '没有渠道为模型 {model} 提供 {operation}'],
  // import and export
  ['it has rows already: give an empty database', '目标数据库已有数据，请使用空数据库'],
]

const PATTERNS = REASONS.map(([en, zh]) => ({ pattern: patternOf(en), zh }))

/** Returns a reason in Chinese, or unchanged if it has no row. */
export function chineseReason(reason: string): string {
  for (const { pattern, zh } of PATTERNS) {
    const groups = pattern.exec(reason)?.groups
    if (groups) return zh.replace(/\{(\w+)\}/g, (_, name: string) => groups[name] ?? '')
    if (pattern.test(reason)) return zh
  }
  // The mail server's status code follows its reason.
  const numbered = /^(.+) \((\d{3})\)$/.exec(reason)
  const [, text = '', code = ''] = numbered ?? []
  const known = numbered && chineseReason(text)
  return known && known !== text ? `${known}（${code}）` : reason
}

function patternOf(template: string): RegExp {
  const escaped = template.replace(/[.*+?^$()|[\]\\]/g, '\\$&')
  return new RegExp(`^${escaped.replace(/\{(\w+)\}/g, '(?<$1>.+)')}$`)
}
