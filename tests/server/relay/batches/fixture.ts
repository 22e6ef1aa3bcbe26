import { pino } from 'pino'
import { onTestFinished } from 'vitest'
import type { NewUser } from '../../../../core/accounts/accounts.ts'
import type { Channel, NewChannel } from '../../../../core/channels/channel.ts'
import type { NewToken } from '../../../../core/tokens/token.ts'
import { batchPoll } from '../../../../server/relay/batches/poll.ts'
import { createBatchUpstream } from '../../../../server/relay/batches/upstream.ts'
import { createOutboundClients } from '../../../../server/relay/transport/outbound-clients.ts'
import { type BatchUpstreamServer, lines, startBatchUpstream } from '../../../support/batch-upstream.ts'
import {
  CHANNEL_KEY,
  type Customer,
  customer,
  MODEL,
  priceOf,
  type Settings,
  serve,
  setPrices,
  type TestGateway,
} from '../../../support/gateway.ts'
import type { TestToolkit } from '../../../support/toolkit.ts'

export interface BatchFixture extends TestGateway, Customer {
  upstream: BatchUpstreamServer
  servedBy: Channel
  /** Calls the gateway with the customer's key, or another. */
  call(method: string, path: string, options?: CallOptions): Promise<{ status: number; body: Record<string, unknown> }>
  /** Uploads a file for batches. Returns its id. */
  upload(content: string, options?: CallOptions): Promise<string>
  create(fileId: string, options?: CallOptions): Promise<{ status: number; body: Record<string, unknown> }>
  balance(): Promise<number>
}

interface CallOptions {
  body?: unknown
  key?: string
  headers?: Record<string, string>
}

/** A separate poller on a fixture's database, with a clock that a test sets. */
export async function poller({ toolkit }: Pick<TestToolkit, 'toolkit'>, clock: { now?: number } = {}) {
  const media = { bytesMax: 1, allowHosts: [] }
  const links = createOutboundClients({ idleTimeoutMs: 5000, media, options: toolkit.options })
  onTestFinished(() => links.close())
  const job = batchPoll({
    toolkit,
    directory: await toolkit.channelDirectory(),
    upstream: createBatchUpstream(links),
    logger: pino({ level: 'silent' }),
    now: () => (clock.now ?? Date.now() / 1000) * 1000,
  })
  return async () => {
    // Its turn has come.
    await toolkit.db.transaction((trx) => trx('batches').where({ settled_at: 0 }).update({ poll_at: 0 }))
    await toolkit.events.catchUp()
    return job.run(new AbortController().signal)
  }
}

export const request = (custom_id: string, body: Record<string, unknown> = {}) => ({
  custom_id,
  method: 'POST',
  url: '/v1/chat/completions',
  body: { model: MODEL, max_tokens: 10, messages: [{ role: 'user', content: 'hello' }], ...body },
})

export const inputOf = (...rows: unknown[]): string => lines(rows)

/** Half of the usual price, rounded half up, as each request of a batch is charged. */
export const halfPrice = (promptTokens: number, completionTokens: number): number =>
  Math.floor(priceOf(promptTokens, completionTokens) / 2 + 0.5)

export async function openBatches(
  toolkitOf: TestToolkit,
  {
    user = {},
    token = {},
    channel = {},
    settings = {},
  }: { user?: Partial<NewUser>; token?: Partial<NewToken>; channel?: Partial<NewChannel>; settings?: Settings } = {},
): Promise<BatchFixture> {
  const upstream = await startBatchUpstream(CHANNEL_KEY)
  const gateway = await serve(toolkitOf, { settings })
  await setPrices(toolkitOf)
  const servedBy = await toolkitOf.channel({ base_url: upstream.url, models: MODEL, key: CHANNEL_KEY, ...channel })
  const buyer = await customer(toolkitOf, { user: { quota: 100_000_000, ...user }, token })
  const { url } = gateway
  const call: BatchFixture['call'] = async (method, path, { body, key = buyer.key, headers = {} } = {}) => {
    const isForm = body instanceof FormData
    const response = await fetch(url + path, {
      method,
      headers: {
        authorization: `Bearer ${key}`,
        ...(body !== undefined && !isForm && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body !== undefined && { body: isForm ? body : JSON.stringify(body) }),
    })
    const text = await response.text()
    return { status: response.status, body: text.startsWith('{') ? JSON.parse(text) : { text } }
  }
  return {
    ...toolkitOf,
    ...buyer,
    gateway,
    url,
    upstream,
    servedBy,
    call,
    async upload(content, options = {}) {
      const body = new FormData()
      body.set('purpose', 'batch')
      body.set('file', new File([content], 'input.jsonl'))
      const { status, body: file } = await call('POST', '/v1/files', { ...options, body })
      if (status !== 200) throw new Error(`The upload was answered ${status} ${JSON.stringify(file)}`)
      return String(file.id)
    },
    create: (input_file_id, options = {}) =>
      call('POST', '/v1/batches', {
        ...options,
        body: { input_file_id, endpoint: '/v1/chat/completions', completion_window: '24h' },
      }),
    async balance() {
      const row = await toolkitOf.toolkit.db.reader('users').where({ id: buyer.person.id }).first('quota')
      return Number(row.quota)
    },
  }
}
