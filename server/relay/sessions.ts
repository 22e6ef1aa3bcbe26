import type { IncomingMessage } from 'node:http'
import { ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Logger } from 'pino'
import type { ChannelDirectory } from '../../core/channels/directory.ts'
import { GatewayError } from '../../core/errors.ts'
import { OPTIONS } from '../../core/options/registry.ts'
import type { LocalToolkit } from '../../core/toolkit.ts'
import { type AdmittedSession, admitSession } from './admission.ts'
import { toCharge } from './charge.ts'
import type { Tokenizer } from './counting/tokenizer.ts'
import { createRealtime } from './endpoints/realtime.ts'
import { holdFor } from './hold.ts'
import type { Links } from './links.ts'
import { PROVIDERS } from './providers/providers.ts'

export const REALTIME_PATH = '/v1/realtime'

/** Sockets of requests that asked for one. */
const upgrades = new WeakMap<IncomingMessage, { socket: Duplex; head: Buffer }>()

/** Realtime sessions of clients. */
export interface Sessions {
  /** Serves a request to `REALTIME_PATH` to the end of its session. Throws what its admission does, before it is upgraded. */
  handle(request: FastifyRequest, reply: FastifyReply): Promise<void>
  stop(graceMs: number): Promise<void>
}

export function createSessions({
  toolkit,
  directory,
  links,
  tokenizer,
  logger,
}: {
  toolkit: LocalToolkit
  directory: ChannelDirectory
  links: Links
  tokenizer: Tokenizer
  logger: Logger
}): Sessions {
  const { options, ledger, pricing } = toolkit
  const realtime = createRealtime<AdmittedSession>({
    ledger,
    tokenizer,
    logger,
    meansOf: links.meansOf,
    agentOf: links.agentOf,
    hold: ({ caller }, quota) => holdFor(toolkit, caller, quota),
    providerOf: ({ type }) => PROVIDERS[type.family],
    attemptsMax: ({ caller }) => (caller.pinnedChannelId ? 1 : 1 + options.get(OPTIONS.RetryTimes)),
    aheadTokens: () => options.get(OPTIONS.PreConsumedQuota),
    async settle({ bill, end, endedAt, ...session }) {
      const { channel, upstreamModel, tried } = session
      const relay = { ...session, served: { channel, upstreamModel, tried }, isStream: true }
      await ledger.settle(session.hold, toCharge(relay, { bill, end, endedAt, priceVersion: pricing.version }))
    },
  })
  return {
    async handle(request, reply) {
      const upgrade = upgrades.get(request.raw)
      if (!upgrade) throw new GatewayError('REQUEST_MALFORMED', { reason: 'connect to this address with a websocket' })
      const admitted = await admitSession(request, { toolkit, directory })
      reply.hijack()
      reply.raw.detachSocket(upgrade.socket as never)
      await realtime.handle(admitted, request.raw, upgrade.socket, upgrade.head)
    },
    stop: (graceMs) => realtime.stop(graceMs),
  }
}

/**
 * Lets requests for a socket take the way of all others, so that hooks and refusals are the same; only a session's handler
 * takes the socket over. Other addresses have no sockets.
 */
export function routeUpgrades(app: FastifyInstance): void {
  app.server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    // A peer that hangs up is no failure of ours.
    socket.on('error', () => socket.destroy())
    const isSession = request.method === 'GET' && request.url?.split('?')[0] === REALTIME_PATH
    if (!isSession) return socket.end('HTTP/1.1 404 Not Found\r\nconnection: close\r\ncontent-length: 0\r\n\r\n')
    upgrades.set(request, { socket, head })
    const response = new ServerResponse(request)
    response.shouldKeepAlive = false
    response.assignSocket(socket as never)
    response.once('finish', () => socket.end())
    app.routing(request, response)
  })
}
