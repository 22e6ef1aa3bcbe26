import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import type { Socket } from 'node:net'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { SMTPServer } from 'smtp-server'
import { expect, onTestFinished } from 'vitest'
import type { TestToolkit } from './toolkit.ts'
import { testFolder } from './toolkit.ts'

export interface ReceivedMail {
  from: string
  to: string[]
  /** The raw mail as received. */
  raw: string
  /** The decoded text of the body. */
  body: string
  /** The sender's sign-in method, and whether the connection was encrypted. */
  auth: string | undefined
  encrypted: boolean
}

export interface MailServer {
  port: number
  mails: ReceivedMail[]
  /** Returns the newest mail to an address; fails if there is none. */
  newest(to: string): ReceivedMail
}

export interface MailServerOptions {
  tls?: 'none' | 'starttls' | 'implicit'
  certificate?: Certificate
  account?: string
  password?: string
  authMethods?: string[]
  /** Rejects each mail with this status. */
  refuse?: number
  /** Receives each mail, then disconnects without confirming it. */
  vanish?: boolean
}

export const MAIL_ACCOUNT = 'gateway@example.org'
export const MAIL_PASSWORD = 'mail-server-password'

interface Connection {
  _socket: Socket
}

/** Starts a local mail server that stores received mails; closes with the test. */
export async function startMailServer({
  tls = 'none',
  certificate,
  account = MAIL_ACCOUNT,
  password = MAIL_PASSWORD,
  authMethods = ['PLAIN', 'LOGIN'],
  refuse,
  vanish = false,
}: MailServerOptions = {}): Promise<MailServer> {
  const mails: ReceivedMail[] = []
  const methods = new Map<string, string>()
  const server = new SMTPServer({
    secure: tls === 'implicit',
    hideSTARTTLS: tls === 'none',
    ...certificate,
    authMethods,
    authOptional: true,
    allowInsecureAuth: tls === 'none',
    disableReverseLookup: true,
    onAuth(auth, session, done) {
      if (auth.username !== account || auth.password !== password)
        return done(new Error('Invalid username or password'))
      methods.set(session.id, auth.method)
      done(null, { user: account })
    },
    onData(stream, session, done) {
      const parts: Buffer[] = []
      stream.on('data', (part: Buffer) => parts.push(part))
      stream.on('end', () => {
        if (refuse) return done(Object.assign(new Error('Not today'), { responseCode: refuse }))
        const raw = Buffer.concat(parts).toString('utf8')
        const { mailFrom, rcptTo } = session.envelope
        mails.push({
          from: mailFrom ? mailFrom.address : '',
          to: rcptTo.map(({ address }) => address),
          raw,
          body: bodyOf(raw),
          auth: methods.get(session.id),
          encrypted: session.secure,
        })
        if (!vanish) return done()
        for (const connection of server.connections) (connection as unknown as Connection)._socket.destroy()
      })
    },
  })
  server.on('error', () => {}) // A sender that rejects the certificate disconnects, which the test checks.
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', () => resolve()))
  onTestFinished(() => new Promise<void>((resolve) => server.close(() => resolve())))
  const { port } = server.server.address() as { port: number }
  return {
    port,
    mails,
    newest(to) {
      const mail = mails.findLast((each) => each.to.includes(to))
      expect(mail, `a mail to ${to}`).toBeDefined()
      return mail as ReceivedMail
    },
  }
}

/** Configures a test's gateway to send through that server. */
export async function configureMail(
  { toolkit, root }: Pick<TestToolkit, 'toolkit' | 'root'>,
  { port }: Pick<MailServer, 'port'>,
  options: Record<string, string> = {},
): Promise<void> {
  const all = {
    SMTPServer: '127.0.0.1',
    SMTPPort: String(port),
    SMTPAccount: MAIL_ACCOUNT,
    SMTPToken: MAIL_PASSWORD,
    ...options,
  }
  for (const [key, value] of Object.entries(all)) await toolkit.options.set(root, key, value)
}

/** Returns the six-character code in a mail. */
export function codeIn({ body }: ReceivedMail): string {
  const [, code = ''] = /<strong>([0-9a-f]{6})<\/strong>/.exec(body) ?? []
  expect(code).not.toBe('')
  return code
}

export interface Certificate {
  key: string
  cert: string
}

/** Creates a self-signed certificate for this machine. */
export async function selfSigned(): Promise<Certificate> {
  const folder = await testFolder()
  const [keyout, out] = [join(folder, 'key.pem'), join(folder, 'cert.pem')]
  const subject = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=IP:127.0.0.1,DNS:localhost']
  const key = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-keyout', keyout]
  await promisify(execFile)('openssl', ['req', '-x509', '-days', '2', ...key, '-out', out, ...subject])
  return { key: await readFile(keyout, 'utf8'), cert: await readFile(out, 'utf8') }
}

function bodyOf(raw: string): string {
  const [head = '', ...rest] = raw.split('\r\n\r\n')
  const body = rest.join('\r\n\r\n')
  if (/content-transfer-encoding: base64/i.test(head)) return Buffer.from(body, 'base64').toString('utf8')
  const bytes = body
    .replace(/=\r\n/g, '')
    .replace(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
  return Buffer.from(bytes, 'latin1').toString('utf8')
}
