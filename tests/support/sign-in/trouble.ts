import { type Exchange, sendJson } from '../hand-made-upstream.ts'
import type { Route } from './stand-in.ts'

const send = ({ response }: Exchange, status: number, body: string, headers = {}) =>
  void response.writeHead(status, headers).end(body)

/** Possible failures of another service's reply, with Tollgate's expected message. */
export const TROUBLE: { what: string; answer: Route; message: RegExp }[] = [
  { what: 'hangs up', answer: ({ response }) => response.destroy(), message: /^Cannot reach the .* server/ },
  { what: 'is out of order', answer: (exchange) => sendJson(exchange, { a: 1 }, 503), message: /^Cannot reach/ },
  { what: 'sends five megabytes', answer: (exchange) => sendJson(exchange, 'x'.repeat(5e6)), message: /^Cannot reach/ },
  { what: 'answers HTML', answer: (e) => send(e, 200, '<html>500</html>'), message: /a reply without a user/ },
  {
    what: 'redirects',
    answer: (e) => send(e, 302, '', { location: '/elsewhere' }),
    message: /a reply without a user/,
  },
  { what: 'answers nothing', answer: (exchange) => send(exchange, 200, ''), message: /a reply without a user/ },
  { what: 'answers null', answer: (exchange) => sendJson(exchange, 'null'), message: /a reply without a user/ },
  { what: 'answers a list', answer: (exchange) => sendJson(exchange, []), message: /a reply without a user/ },
  {
    what: 'answers an empty object',
    answer: (exchange) => sendJson(exchange, {}),
    message: /a reply without a user/,
  },
  {
    what: 'refuses, repeating what it was sent',
    answer: (exchange) => {
      const { authorization = '' } = exchange.headers
      const message = `no!\u0000\n\u202e ${exchange.raw} ${decodeURIComponent(exchange.path)} ${authorization}`
      sendJson(exchange, { error: 'access_denied', error_description: message }, 401)
    },
    message: /^.* refused the sign-in: no! /,
  },
  {
    what: 'refuses without a word',
    answer: (exchange) => sendJson(exchange, {}, 403),
    message: /^.* refused the sign-in: status 403$/,
  },
]
