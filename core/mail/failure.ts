import { errorCode, errorMessage, errorProperty } from '../error-parts.ts'
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
 * Returns the reason of a failed mail. The user who requested the mail can read the reason, so it contains neither
 * server nor account. Its number is the reply code of the mail server
 * (https://www.rfc-editor.org/rfc/rfc5321#section-4.2.3).
 */
export function reasonOf(error: unknown): Reason {
  const isCertificate = /certificate|self.signed/i.test(errorMessage(error))
  // nodemailer reports a rejected certificate with the code of a socket error. Only the message shows the cause.
  const { reason, reason_zh } = because(isCertificate ? 'mailCertificate' : (REASONS[errorCode(error)] ?? 'mailEnded'))
  const responseCode = responseCodeOf(error)
  if (!responseCode) return { reason, reason_zh }
  return { reason: `${reason} (${responseCode})`, reason_zh: `${reason_zh}（${responseCode}）` }
}

/** The outcome of a mail after an error. */
type MailOutcome =
  /** The server does not have the mail, and may accept it later. */
  | 'not-sent'
  /** The server rejected the mail permanently. */
  | 'refused'
  /** The connection ended during the exchange, so the server may have the mail. */
  | 'unknown'

/** The only timeout of nodemailer that may occur after the message was sent. */
const EXCHANGE = 'SOCKET_TIMEOUT'
/** Error codes of steps before the message is sent. */
const BEFORE_MESSAGE = new Set(['EAUTH', 'ENOAUTH', 'EDNS', 'ETLS', 'EENVELOPE'])

/** Converts an error of nodemailer to the outcome of the mail, which shows whether a retry could send a duplicate. */
export function mailOutcomeOf(error: unknown): MailOutcome {
  const code = errorCode(error)
  const responseCode = responseCodeOf(error)
  if (responseCode !== undefined) {
    // The rejection of a recipient or message is permanent. Other rejections end if an operator corrects the account.
    return responseCode >= 500 && (code === 'EENVELOPE' || code === 'EMESSAGE') ? 'refused' : 'not-sent'
  }
  const timeoutType = errorProperty(error, 'timeoutType') ?? EXCHANGE
  const isConnecting = errorProperty(error, 'syscall') === 'connect'
  return isConnecting || timeoutType !== EXCHANGE || BEFORE_MESSAGE.has(code) ? 'not-sent' : 'unknown'
}

/** Returns the reply code of the mail server, or undefined if the server did not reply. */
function responseCodeOf(error: unknown): number | undefined {
  const responseCode = errorProperty(error, 'responseCode')
  return typeof responseCode === 'number' ? responseCode : undefined
}
