import { GatewayError } from '../errors.ts'
import { errorText } from '../messages/messages.ts'

/** An error about one place of a document. */
export function faultAt(path: string, reason: { en: string; zh: string }): GatewayError {
  const [reason_en, reason_zh] = [`${path}: ${reason.en}`, `${path}：${reason.zh}`]
  return new GatewayError('CONFIGURATION_INVALID', { reason: reason_en, reason_en, reason_zh })
}

const KINDS = {
  user: '用户',
  team: '团队',
  member: '成员',
  token: '令牌',
  group: '分组',
  channel: '渠道',
  key: '密钥',
} as const

/** The error about a name that nothing has. */
export function unknownAt(path: string, kind: keyof typeof KINDS, name: string): GatewayError {
  return faultAt(path, { en: `there is no ${kind} ${name}`, zh: `${KINDS[kind]} ${name} 不存在` })
}

/** Runs a check of one place of a document: its error names the place. */
export function checkedAt<T>(path: string, check: () => T): T {
  try {
    return check()
  } catch (error) {
    throw placed(path, error)
  }
}

/** Writes one place of a document: an error about its values names the place. */
export async function writtenAt(path: string, write: () => Promise<void>): Promise<void> {
  try {
    await write()
  } catch (error) {
    throw error instanceof GatewayError && error.kind === 'invalid' ? placed(path, error) : error
  }
}

function placed(path: string, error: unknown): unknown {
  if (!(error instanceof GatewayError) || error.code === 'CONFIGURATION_INVALID') return error
  return faultAt(path, { en: errorText(error, 'en'), zh: errorText(error, 'zh') })
}
