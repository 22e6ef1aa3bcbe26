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
 * Names neither server nor account: whoever asks for a code gets to read it. The number is the mail server's own
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
