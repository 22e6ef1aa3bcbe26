import { sendJson } from '../hand-made-upstream.ts'
import { type StandIn, startStandIn, tickets } from './stand-in.ts'

export const WECHAT_TOKEN = 'wechat-token-0123456789'

export interface WeChat extends StandIn {
  /** Sends a code to a follower. Returns it. */
  sendCode(user: unknown): string
}

/** Mocks the helper server of a WeChat account. */
export async function startWeChat(): Promise<WeChat> {
  const codes = tickets<unknown>()
  const standIn = await startStandIn({
    'GET /api/wechat/user': (exchange) => {
      if (exchange.headers.authorization !== WECHAT_TOKEN) return sendJson(exchange, { message: 'who?' }, 401)
      const parameters = new URL(exchange.path, 'http://wechat').searchParams
      if ([...parameters.keys()].join() !== 'code') return sendJson(exchange, { message: 'only code' }, 400)
      sendJson(exchange, { success: true, message: '', data: codes.take(parameters.get('code')) ?? '' })
    },
  })
  return { ...standIn, sendCode: codes.issue }
}
