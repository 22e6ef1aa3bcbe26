import { type Exchange, sendJson } from '../hand-made-upstream.ts'
import { type StandIn, startStandIn, tickets } from './stand-in.ts'

export const GITHUB_APP = { client_id: 'Iv1.app', client_secret: 'gho-secret-0123456789' }

export interface GitHub extends StandIn {
  /** Authorizes the app for a user. Returns the code for the callback. */
  allow(user: Record<string, unknown>): string
}

/** Mocks GitHub's sign-in, with the checks of the real one. */
export async function startGitHub(): Promise<GitHub> {
  const codes = tickets<Record<string, unknown>>()
  const tokens = tickets<Record<string, unknown>>()
  const knowsCaller = (exchange: Exchange) => {
    const { accept, 'user-agent': agent } = exchange.headers
    if (agent && accept === 'application/json') return true
    sendJson(exchange, { message: 'Request forbidden by administrative rules: no User-Agent' }, 403)
    return false
  }
  const standIn = await startStandIn({
    'POST /login/oauth/access_token': (exchange) => {
      if (!knowsCaller(exchange)) return
      const { code, ...app } = exchange.body
      const isApp = JSON.stringify(app) === JSON.stringify(GITHUB_APP)
      if (!isApp || exchange.headers['content-type'] !== 'application/json') {
        return sendJson(exchange, { error: 'incorrect_client_credentials', error_description: 'Not this app.' })
      }
      const user = codes.take(code)
      if (!user) {
        return sendJson(exchange, { error: 'bad_verification_code', error_description: 'The code is incorrect.' })
      }
      sendJson(exchange, { access_token: tokens.issue(user), token_type: 'bearer', scope: 'user:email' })
    },
    'GET /api/v3/user': (exchange) => {
      if (!knowsCaller(exchange)) return
      const user = tokens.take(exchange.headers.authorization?.replace(/^Bearer /, ''))
      sendJson(exchange, user ?? { message: 'Bad credentials' }, user ? 200 : 401)
    },
  })
  return { ...standIn, allow: codes.issue }
}
