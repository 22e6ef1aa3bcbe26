import { sendJson } from '../hand-made-upstream.ts'
import { formOf, type StandIn, startStandIn, tickets } from './stand-in.ts'

export const LINUXDO_APP = { id: 'linux-app', secret: 'linuxdo-secret-0123456789' }

export interface LinuxDo extends StandIn {
  allow(user: Record<string, unknown>): string
  /** The callback address required in token requests. */
  callback: string
}

/** Mocks LinuxDO's sign-in: credentials, form and callback address must be valid. */
export async function startLinuxDo(): Promise<LinuxDo> {
  const codes = tickets<Record<string, unknown>>()
  const tokens = tickets<Record<string, unknown>>()
  const basic = `Basic ${Buffer.from(`${LINUXDO_APP.id}:${LINUXDO_APP.secret}`).toString('base64')}`
  const standIn = await startStandIn({
    'POST /oauth2/token': (exchange) => {
      const { code, ...rest } = formOf(exchange)
      const { authorization, 'content-type': type, accept } = exchange.headers
      const expected = { grant_type: 'authorization_code', redirect_uri: linuxDo.callback }
      const isForm = type === 'application/x-www-form-urlencoded' && accept === 'application/json'
      if (authorization !== basic || !isForm) return sendJson(exchange, { error: 'invalid_client' }, 401)
      if (JSON.stringify(rest) !== JSON.stringify(expected)) {
        return sendJson(exchange, { error: 'invalid_grant', message: `not ${JSON.stringify(rest)}` }, 400)
      }
      const user = codes.take(code)
      if (!user) return sendJson(exchange, { error: 'invalid_grant' }, 400)
      sendJson(exchange, { access_token: tokens.issue(user), token_type: 'bearer' })
    },
    'GET /api/user': (exchange) => {
      const user = tokens.take(exchange.headers.authorization?.replace(/^Bearer /, ''))
      sendJson(exchange, user ?? { error: 'invalid_token' }, user ? 200 : 401)
    },
  })
  const linuxDo: LinuxDo = { ...standIn, allow: codes.issue, callback: '' }
  return linuxDo
}
