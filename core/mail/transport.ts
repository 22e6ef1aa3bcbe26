import { isIP } from 'node:net'
import { rootCertificates } from 'node:tls'

const IMPLICIT_TLS_PORT = 465

interface MailServer {
  server: string
  port: number
  /** TLS from the first byte, on any port. */
  implicitTls: boolean
  account: string
  password: string
  timeoutMs: number
  trusted: readonly string[]
}

/**
 * Returns the options of nodemailer for a mail server. Uses TLS from the first byte on port 465 or if configured.
 * Otherwise uses STARTTLS if the server offers it (https://www.rfc-editor.org/rfc/rfc3207). Certificates are verified.
 * With a password, TLS is required unless the server is on this machine, because an attacker in the network could
 * remove the offer of STARTTLS.
 */
export function transportOf(mail: MailServer) {
  const { server: host, port, account, password, timeoutMs, trusted } = mail
  const secure = port === IMPLICIT_TLS_PORT || mail.implicitTls
  return {
    host,
    port,
    secure,
    requireTLS: !secure && password !== '' && !isLoopback(host),
    ...(password !== '' && { auth: { user: account, pass: password }, authMethod: authMethodOf(mail) }),
    ...(trusted.length > 0 && { tls: { ca: [...rootCertificates, ...trusted] } }),
    dnsTimeout: timeoutMs,
    connectionTimeout: timeoutMs,
    greetingTimeout: timeoutMs,
    socketTimeout: timeoutMs,
    // nodemailer need not load content from paths or URLs, because no message contains any.
    disableFileAccess: true,
    disableUrlAccess: true,
  }
}

/** Returns the SMTP authentication method. Microsoft's servers do not support PLAIN. */
function authMethodOf({ server, account }: Pick<MailServer, 'server' | 'account'>): 'LOGIN' | 'PLAIN' {
  const microsoft = /outlook|onmicrosoft/i.test(account) || server.toLowerCase() === 'smtp.azurecomm.net'
  return microsoft ? 'LOGIN' : 'PLAIN'
}

function isLoopback(host: string): boolean {
  if (isIP(host) === 4) return host.startsWith('127.')
  return host === '::1' || host.toLowerCase() === 'localhost'
}
