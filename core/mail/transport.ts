import { isIP } from 'node:net'
import { rootCertificates } from 'node:tls'

const IMPLICIT_TLS_PORT = 465

export interface MailServer {
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
 * How to speak to a mail server: implicit TLS on port 465 or where it is asked for, else STARTTLS if it is offered
 * (https://www.rfc-editor.org/rfc/rfc3207). Certificates are checked. A password goes over TLS, or to this machine
 * itself, and never in the clear: an attacker in between could leave out STARTTLS.
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
    // Nothing in a message is a path or an address to load from.
    disableFileAccess: true,
    disableUrlAccess: true,
  }
}

/** Microsoft's servers know no PLAIN. */
function authMethodOf({ server, account }: Pick<MailServer, 'server' | 'account'>): 'LOGIN' | 'PLAIN' {
  const microsoft = /outlook|onmicrosoft/i.test(account) || server.toLowerCase() === 'smtp.azurecomm.net'
  return microsoft ? 'LOGIN' : 'PLAIN'
}

function isLoopback(host: string): boolean {
  if (isIP(host) === 4) return host.startsWith('127.')
  return host === '::1' || host.toLowerCase() === 'localhost'
}
