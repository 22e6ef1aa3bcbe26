import { because, type Reason, type ReasonName } from '../messages/reasons.ts'

/** Reasons by error code (https://nodemailer.com/errors), without details of the server. */
const REASONS: Record<string, ReasonName> = {
  EAUTH: 'mailAccount',
  ENOAUTH: 'mailAccount',
  ETIMEDOUT: 'mailTimeout',
  EDNS: 'mailUnknownHost',
  ECONNECTION: 'mailUnreachable',
  ESOCKET: 'mailUnreachable',
  ETLS: 'mailUnencrypted',
  EENVELOPE: 'mailEnvelope',
  EMESSAGE: 'mailRefused',
  EPROTOCOL: 'mailProtocol',
}

/**
 * Names neither server nor account: the requester of a code can read it. The number is the mail server's own
 * (https://www.rfc-editor.org/rfc/rfc5321#section-4.2.3).
 */
export function reasonOf(error: unknown): Reason {
  const { code = '', responseCode, message = '' } = error as { code?: string; responseCode?: number; message?: string }
  // A refused certificate comes as a failure of the socket.
  const name = /certificate|self.signed/i.test(message) ? 'mailCertificate' : (REASONS[code] ?? 'mailEnded')
  const { reason, reason_zh } = because(name)
  if (!responseCode) return { reason, reason_zh }
  return { reason: `${reason} (${responseCode})`, reason_zh: `${reason_zh}（${responseCode}）` }
}

/** The state of a mail whose acceptance is not certain. */
export type MailFate =
  /** The server does not have it, and may accept it later. */
  | 'not-sent'
  /** The server rejected it permanently. */
  | 'refused'
  /** The connection ended during the exchange: the server may have it. */
  | 'unknown'

/** The only timeout of nodemailer that can occur after the message was sent. */
const EXCHANGE = 'SOCKET_TIMEOUT'
/** Failures of steps before the message itself. */
const BEFORE_MESSAGE = new Set(['EAUTH', 'ENOAUTH', 'EDNS', 'ETLS', 'EENVELOPE'])

/** Reads a failure of nodemailer: whether the same mail may be sent again without a duplicate. */
export function fateOf(error: unknown): MailFate {
  const {
    code = '',
    responseCode,
    syscall,
    timeoutType = EXCHANGE,
  } = (error ?? {}) as {
    code?: string
    responseCode?: number
    syscall?: string
    timeoutType?: string
  }
  if (responseCode !== undefined) {
    // A refused account is put right in the options; a refused receiver is not.
    return responseCode >= 500 && (code === 'EENVELOPE' || code === 'EMESSAGE') ? 'refused' : 'not-sent'
  }
  const early = syscall === 'connect' || timeoutType !== EXCHANGE || BEFORE_MESSAGE.has(code)
  return early ? 'not-sent' : 'unknown'
}
