/** What went wrong, by the codes of https://nodemailer.com/errors, in words that are fit for strangers. */
const REASONS: Record<string, string> = {
  EAUTH: 'the mail server refused the account or its password',
  ENOAUTH: 'the mail server refused the account or its password',
  ETIMEDOUT: 'the mail server did not answer in time',
  EDNS: 'the mail server was not found',
  ECONNECTION: 'the mail server cannot be reached',
  ESOCKET: 'the mail server cannot be reached',
  ETLS: 'no encrypted connection to the mail server',
  EENVELOPE: 'the mail server refused the sender or the receiver',
  EMESSAGE: 'the mail server refused the message',
  EPROTOCOL: 'the mail server gave an answer that is none',
}

/**
 * Names neither server nor account: the requester of a code can read it. The number is the mail server's own
 * (https://www.rfc-editor.org/rfc/rfc5321#section-4.2.3).
 */
export function reasonOf(error: unknown): string {
  const { code = '', responseCode, message = '' } = error as { code?: string; responseCode?: number; message?: string }
  // A refused certificate comes as a failure of the socket.
  const reason = /certificate|self.signed/i.test(message)
    ? "the mail server's certificate is not trusted"
    : (REASONS[code] ?? 'the mail server ended the exchange')
  return responseCode ? `${reason} (${responseCode})` : reason
}

/** What became of a mail that was not accepted for certain. */
export type MailFate =
  /** The server does not have it, and may take it later. */
  | 'not-sent'
  /** The server said no, and will say so again. */
  | 'refused'
  /** The exchange broke off: the server may have it. */
  | 'unknown'

/** The one limit of nodemailer that can run out with the message on its way. */
const EXCHANGE = 'SOCKET_TIMEOUT'
/** Failures of steps before the message itself. */
const BEFORE_MESSAGE = new Set(['EAUTH', 'ENOAUTH', 'EDNS', 'ETLS', 'EENVELOPE'])

/** Reads a failure of nodemailer: whether the same mail may be sent again without reaching anybody twice. */
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
