import { pino } from 'pino'
import type { Actor } from '../../core/actor.ts'
import type { Config } from '../../core/config.ts'
import type { LocalToolkit } from '../../core/toolkit.ts'
import { SESSION_COOKIE } from '../../server/api/access.ts'
import { startGateway } from '../../server/gateway.ts'
import type { ChatConnection } from '../chat/chat-connection.ts'

const LOOPBACK = '127.0.0.1'
/** Maximum wait for running chats when the gateway stops. It is short, because aborted chats settle immediately. */
const STOP_GRACE_MS = 1000

/** Starts a gateway in this process, reachable only from this machine, with a session of the actor. */
export async function openLocalChatConnection(
  toolkit: LocalToolkit,
  config: Config,
  actor: Actor,
): Promise<ChatConnection> {
  await toolkit.events.follow()
  const session = await toolkit.sessions.create(actor.id)
  const gateway = await startGateway({
    config: {
      ...config,
      host: LOOPBACK,
      port: 0,
      stopGraceMs: STOP_GRACE_MS,
      rateLimits: { api: undefined, web: undefined, critical: undefined },
    },
    toolkit,
    logger: pino({ level: 'silent' }),
    hasJobs: false,
  })
  return {
    server: { url: gateway.url, userId: actor.id },
    isProxyBypassed: true,
    headers: { cookie: `${SESSION_COOKIE}=${session}` },
    async close() {
      await gateway.close()
      await toolkit.sessions.delete(session)
    },
  }
}
