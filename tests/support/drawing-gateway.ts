import { pino } from 'pino'
import { expect } from 'vitest'
import type { Channel } from '../../core/channels/channel.ts'
import { CHANNEL_TYPES } from '../../core/channels/types/types.ts'
import type { Log } from '../../core/logs/log.ts'
import { LOG_TYPE } from '../../core/logs/log.ts'
import { createDrawingPoll } from '../../server/relay/tasks/midjourney/poll.ts'
import { createOutboundClients } from '../../server/relay/transport/outbound-clients.ts'
import { type Customer, openTestGateway, type TestGateway } from './gateway.ts'
import { whenDone } from './lifetime.ts'
import { type MidjourneyProxy, startMidjourneyProxy } from './midjourney-proxy.ts'
import type { TestOptions } from './toolkit.ts'

export const MJ_KEY = 'mj-secret-0123456789'
export const ALL_ACTIONS = CHANNEL_TYPES.filter(({ tasks }) => tasks === 'drawings')
  .flatMap(({ models }) => models)
  .join(',')

/** Converts dollars to quota at the default price. */
export const dollars = (amount: number): number => amount * 500_000

/** A reply to a drawing client. */
export interface DrawingAnswer {
  status: number
  headers: Headers
  text: string
  // biome-ignore lint/suspicious/noExplicitAny: any reply of the proxy.
  json: any
}

export interface DrawingGateway extends TestGateway {
  proxy: MidjourneyProxy
  servedBy: Channel
}

/** Opens a gateway with one channel, to a Midjourney proxy. It polls drawings only on request. */
export async function openDrawingGateway(options: TestOptions = {}): Promise<DrawingGateway> {
  const proxy = await startMidjourneyProxy()
  const fixture = await openTestGateway(options)
  const servedBy = await drawingChannel({ ...fixture, proxy })
  return { ...fixture, proxy, servedBy }
}

/** Adds a channel to the proxy. */
export function drawingChannel(
  fixture: TestGateway & { proxy: MidjourneyProxy },
  more: Parameters<TestGateway['channel']>[0] = {},
): Promise<Channel> {
  return fixture.channel({ type: 5, base_url: fixture.proxy.url, key: MJ_KEY, models: ALL_ACTIONS, ...more })
}

/** Polls all drawings once, like a separate process with its own clock. */
export async function pollOnce(
  { toolkit }: TestGateway,
  { at = Date.now() }: { at?: number } = {},
): Promise<string | undefined> {
  const { options } = toolkit
  const links = createOutboundClients({ idleTimeoutMs: 5000, media: { bytesMax: 0, allowHosts: [] }, options })
  whenDone(() => links.close())
  const directory = await toolkit.channelDirectory()
  const logger = pino({ level: 'silent' })
  const job = createDrawingPoll({ toolkit, directory, links, logger, now: () => at })
  return job.run(new AbortController().signal)
}

export async function call(
  { url }: { url: string },
  method: 'GET' | 'POST',
  path: string,
  { key, body, headers = {} }: { key?: string; body?: unknown; headers?: Record<string, string> } = {},
): Promise<DrawingAnswer> {
  const sent = body === undefined || typeof body === 'string' ? body : JSON.stringify(body)
  const response = await fetch(url + path, {
    method,
    headers: { ...(key && { 'mj-api-secret': key }), 'content-type': 'application/json', ...headers },
    ...(sent !== undefined && { body: sent }),
  })
  const text = await response.text()
  return { status: response.status, headers: response.headers, text, json: parsed(text) }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Expects an error in the drawing API's shape: two texts separated by a space. */
export function expectDrawingRefusal(
  { status, json, text }: DrawingAnswer,
  { reason, code = 4, status: wanted = 400 }: { reason: string; code?: number; status?: number },
): void {
  expect({ status, json, text }).toMatchObject({
    status: wanted,
    json: { description: expect.stringMatching(/ /), type: 'upstream_error', code },
  })
  expect(json.description.split(' ')[0]).toBe(reason)
  expect(Object.keys(json)).toEqual(['description', 'type', 'code'])
}

/** Returns a customer's drawings, oldest first. */
export function rowsOf({ toolkit }: TestGateway, { person }: Pick<Customer, 'person'>) {
  return toolkit.db.reader('midjourneys').where({ user_id: person.id }).orderBy('id')
}

/** Returns the quota spent by balance, token, charges and channel. */
export async function spent(fixture: DrawingGateway, { person, bought }: Customer, { balance }: { balance: number }) {
  const { toolkit, root } = fixture
  const [user] = await toolkit.db.reader('users').where({ id: person.id }).select('quota', 'used_quota', 'held_quota')
  const [token] = await toolkit.db.reader('tokens').where({ id: bought.id }).select('used_quota')
  const { items } = await toolkit.logs.list(root, { type: LOG_TYPE.consumption, username: person.username })
  return {
    balance: balance - user.quota,
    user: user.used_quota,
    token: token.used_quota,
    logs: items.map(({ quota }: Log) => quota),
  }
}
