import { GatewayError } from '../errors.ts'
import type { Options } from '../options/options.ts'
import { OPTIONS } from '../options/registry.ts'
import { isMailAddress } from './address.ts'
import { reasonOf } from './failure.ts'
import { transportOf } from './transport.ts'

export interface MailMessage {
  to: string
  subject: string
  html: string
}

export type Mail = ReturnType<typeof createMail>

const TIMEOUT_MS = 10_000

/** Loads the mail library on demand, because most commands send no mail. */
const nodemailer = () => import('nodemailer')

/** Loads the mail library in advance, for processes that must not load files later. */
export async function loadMailer(): Promise<void> {
  await nodemailer()
}

/**
 * Creates the mail sender. `timeoutMs` is the timeout of each step of the exchange. `trusted` has PEM certificates of
 * authorities to trust in addition to those of Node.
 */
export function createMail(parts: { options: Options; timeoutMs?: number; trusted?: readonly string[] }) {
  const { options, timeoutMs = TIMEOUT_MS, trusted = [] } = parts
  return {
    /**
     * Sends a message through the mail server of the SMTP options. Throws MAIL_UNCONFIGURED {missing} and MAIL_FAILED
     * {reason}. The reason contains no address and no secret.
     */
    async send({ to, subject, html }: MailMessage): Promise<void> {
      const server = options.get(OPTIONS.SMTPServer).trim()
      const account = options.get(OPTIONS.SMTPAccount).trim()
      const from = options.get(OPTIONS.SMTPFrom).trim() || account
      if (server === '') throw new GatewayError('MAIL_UNCONFIGURED', { missing: OPTIONS.SMTPServer.key })
      if (!isMailAddress(from)) {
        const missing = from === account ? OPTIONS.SMTPAccount.key : OPTIONS.SMTPFrom.key
        throw new GatewayError('MAIL_UNCONFIGURED', { missing })
      }
      const { createTransport } = await nodemailer()
      const transport = createTransport(
        transportOf({
          server,
          port: options.get(OPTIONS.SMTPPort),
          implicitTls: options.get(OPTIONS.SMTPSSLEnabled),
          account,
          password: options.get(OPTIONS.SMTPToken),
          timeoutMs,
          trusted,
        }),
      )
      try {
        await transport.sendMail({
          from: { name: oneLine(options.get(OPTIONS.SystemName)), address: from },
          to: { name: '', address: to },
          subject: oneLine(subject),
          html,
        })
      } catch (cause) {
        throw new GatewayError('MAIL_FAILED', reasonOf(cause), { cause })
      } finally {
        transport.close()
      }
    },
  }
}

/** Removes control characters, because a line break in a header would start another header. */
function oneLine(text: string): string {
  return text.replace(/\p{Cc}+/gu, ' ').trim()
}
