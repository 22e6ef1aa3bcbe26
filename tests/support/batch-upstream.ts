import { type Exchange, type HandMadeUpstream, sendJson, startUpstream } from './hand-made-upstream.ts'

type Json = Record<string, unknown>

interface HeldFile {
  readonly id: string
  readonly purpose: string
  readonly filename: string
  readonly content: string
}

/** A request of a batch, as received by the upstream. */
export interface SentRequest {
  readonly custom_id: string
  readonly method?: string
  readonly url?: string
  readonly body: Json
}

/** Returns the result of a request; undefined if it was not executed. */
export type Serve = (request: SentRequest) => { status: number; body: Json } | undefined

/** A strict mock of OpenAI's and Anthropic's file and batch APIs. Tests decide when a batch ends. */
export interface BatchUpstreamServer extends HandMadeUpstream {
  readonly files: Map<string, HeldFile>
  readonly batches: Map<string, Json>
  /** Returns the requests of a batch, in order. */
  requestsOf(batchId: string): SentRequest[]
  /** Ends a batch with the results from `serve`. */
  end(batchId: string, serve: Serve, status?: string): void
  /** Replies to the next requests with a matching path; each entry is used once. */
  script: { path: RegExp; answer: (exchange: Exchange) => unknown }[]
  /** Run instead of the replies to the next creations, whose batches are accepted; each entry is used once. */
  instead: ((exchange: Exchange) => unknown)[]
}

export const lines = (rows: readonly unknown[]): string => rows.map((row) => JSON.stringify(row)).join('\n')

let count = 0
const nextId = (prefix: string) => `${prefix}${(++count).toString().padStart(24, 'x')}`

export async function startBatchUpstream(key: string): Promise<BatchUpstreamServer> {
  const files = new Map<string, HeldFile>()
  const batches = new Map<string, Json>()
  const requests = new Map<string, SentRequest[]>()
  const results = new Map<string, string>()
  const script: BatchUpstreamServer['script'] = []
  const instead: BatchUpstreamServer['instead'] = []

  const fileObject = ({ id, purpose, filename, content }: HeldFile) => ({
    id,
    object: 'file',
    bytes: Buffer.byteLength(content),
    created_at: 1_700_000_000,
    filename,
    purpose,
    status: 'processed',
  })
  const addFile = (file: Omit<HeldFile, 'id'>) => {
    const held = { id: nextId('file-'), ...file }
    files.set(held.id, held)
    return held
  }
  const error = (exchange: Exchange, status: number, message: string) =>
    sendJson(exchange, { error: { message, type: 'invalid_request_error', param: null, code: null } }, status)
  const anthropicError = (exchange: Exchange, status: number, message: string) =>
    sendJson(exchange, { type: 'error', error: { type: 'invalid_request_error', message } }, status)

  async function takeFile(exchange: Exchange): Promise<unknown> {
    const { headers, raw } = exchange
    const type = headers['content-type'] ?? ''
    if (!type.startsWith('multipart/form-data')) return error(exchange, 400, 'not a form')
    if (Number(headers['content-length']) !== raw.length) return error(exchange, 400, 'wrong length')
    const form = await new Response(new Uint8Array(raw), { headers: { 'content-type': type } }).formData()
    const file = form.get('file')
    const purpose = form.get('purpose')
    const known = [...form.keys()].every((name) => /^(file|purpose|expires_after\[.*)$/.test(name))
    if (!(file instanceof File) || typeof purpose !== 'string' || !known) return error(exchange, 400, 'bad form')
    return sendJson(exchange, fileObject(addFile({ purpose, filename: file.name, content: await file.text() })))
  }

  function accept(exchange: Exchange, id: string): unknown {
    const next = instead.shift()
    return next ? next(exchange) : sendJson(exchange, batches.get(id))
  }

  function createBatch(exchange: Exchange): unknown {
    const { input_file_id, endpoint, completion_window, metadata = null, ...others } = exchange.body
    const input = files.get(String(input_file_id))
    if (input?.purpose !== 'batch') return error(exchange, 400, 'no such input file')
    if (completion_window !== '24h' || Object.keys(others).length > 0) return error(exchange, 400, 'bad fields')
    const sent = input.content
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as SentRequest)
    if (sent.some(({ url, method }) => url !== endpoint || method !== 'POST')) return error(exchange, 400, 'bad line')
    const id = nextId('batch_')
    requests.set(id, sent)
    batches.set(id, {
      id,
      object: 'batch',
      endpoint,
      errors: null,
      input_file_id,
      completion_window,
      status: 'validating',
      output_file_id: null,
      error_file_id: null,
      created_at: 1_700_000_000,
      request_counts: { total: sent.length, completed: 0, failed: 0 },
      metadata,
    })
    return accept(exchange, id)
  }

  function openAi(exchange: Exchange, path: string, method: string): unknown {
    if (exchange.headers.authorization !== `Bearer ${key}`) return error(exchange, 401, 'bad key')
    if (path === '/v1/files' && method === 'POST') return takeFile(exchange)
    if (path === '/v1/batches' && method === 'POST') return createBatch(exchange)
    if (path === '/v1/batches') {
      return sendJson(exchange, { object: 'list', data: [...batches.values()].reverse(), has_more: false })
    }
    const [, noun, id = '', rest] = /^\/v1\/(files|batches)\/([^/]+)(\/.*)?$/.exec(path) ?? []
    if (noun === 'files') {
      const file = files.get(id)
      if (!file) return error(exchange, 404, 'No such File object')
      if (method === 'DELETE') {
        files.delete(id)
        return sendJson(exchange, { id, object: 'file', deleted: true })
      }
      if (rest !== '/content') return sendJson(exchange, fileObject(file))
      exchange.response.writeHead(200, { 'content-type': 'application/octet-stream' })
      return exchange.response.end(file.content)
    }
    const batch = noun === 'batches' ? batches.get(id) : undefined
    if (!batch) return error(exchange, 404, 'No such batch')
    if (rest === '/cancel') batches.set(id, { ...batch, status: 'cancelling' })
    return sendJson(exchange, batches.get(id))
  }

  function anthropic(exchange: Exchange, path: string, method: string): unknown {
    const { headers, body } = exchange
    if (headers['x-api-key'] !== key || headers['anthropic-version'] === undefined) {
      return anthropicError(exchange, 401, 'invalid x-api-key')
    }
    if (path === '/v1/messages/batches' && method === 'POST') {
      const sent = body.requests as { custom_id: string; params: Json }[]
      const id = nextId('msgbatch_')
      requests.set(
        id,
        sent.map(({ custom_id, params }) => ({ custom_id, body: params })),
      )
      batches.set(id, {
        id,
        type: 'message_batch',
        processing_status: 'in_progress',
        request_counts: { processing: sent.length, succeeded: 0, errored: 0, canceled: 0, expired: 0 },
        ended_at: null,
        created_at: new Date().toISOString(),
        expires_at: new Date(Date.now() + 24 * 3600_000).toISOString(),
        cancel_initiated_at: null,
        results_url: null,
      })
      return accept(exchange, id)
    }
    if (path === '/v1/messages/batches') {
      const data = [...batches.values()].filter(({ type }) => type === 'message_batch').reverse()
      return sendJson(exchange, { data, has_more: false, first_id: data[0]?.id, last_id: data.at(-1)?.id })
    }
    const [, id = '', rest] = /^\/v1\/messages\/batches\/([^/]+)(\/.*)?$/.exec(path) ?? []
    const batch = batches.get(id)
    if (!batch) return anthropicError(exchange, 404, 'no such batch')
    if (method === 'DELETE') {
      if (batch.processing_status !== 'ended') return anthropicError(exchange, 400, 'not ended')
      batches.delete(id)
      return sendJson(exchange, { id, type: 'message_batch_deleted' })
    }
    if (rest === '/cancel') batches.set(id, { ...batch, processing_status: 'canceling' })
    if (rest !== '/results') return sendJson(exchange, batches.get(id))
    exchange.response.writeHead(200, { 'content-type': 'application/x-jsonl' })
    return exchange.response.end(results.get(id))
  }

  const upstream = await startUpstream((exchange) => {
    const [path = ''] = exchange.path.split('?')
    const at = script.findIndex((scripted) => scripted.path.test(path))
    if (at >= 0) return script.splice(at, 1)[0]?.answer(exchange)
    const method = exchange.response.req.method ?? ''
    return path.startsWith('/v1/messages') ? anthropic(exchange, path, method) : openAi(exchange, path, method)
  })

  function end(batchId: string, serve: Serve, status?: string): void {
    const batch = batches.get(batchId) ?? {}
    const sent = requests.get(batchId) ?? []
    const served = sent.map((request) => [request, serve(request)] as const)
    const ok = served.filter(([, result]) => result?.status === 200)
    if (batch.type === 'message_batch') {
      const rows = served.map(([{ custom_id }, result]) => ({
        custom_id,
        result:
          result?.status === 200
            ? { type: 'succeeded', message: result.body }
            : result
              ? { type: 'errored', error: { type: 'error', error: result.body } }
              : { type: 'expired' },
      }))
      results.set(batchId, lines(rows))
      const errored = served.filter(([, result]) => result && result.status !== 200).length
      const expired = sent.length - ok.length - errored
      batches.set(batchId, {
        ...batch,
        processing_status: 'ended',
        ended_at: '2026-01-01T01:00:00Z',
        request_counts: { processing: 0, succeeded: ok.length, errored, canceled: 0, expired },
        results_url: `https://api.anthropic.example/v1/messages/batches/${batchId}/results`,
      })
      return
    }
    const row = ([{ custom_id }, result]: (typeof served)[number]) => ({
      id: `req_${custom_id}`,
      custom_id,
      response: result && { status_code: result.status, request_id: 'r', body: result.body },
      error: null,
    })
    const write = (rows: typeof served) =>
      rows.length > 0
        ? addFile({ purpose: 'batch_output', filename: 'out.jsonl', content: lines(rows.map(row)) }).id
        : null
    const failed = served.filter(([, result]) => result && result.status !== 200)
    batches.set(batchId, {
      ...batch,
      status: status ?? 'completed',
      output_file_id: write(ok),
      error_file_id: write(failed),
      request_counts: { total: sent.length, completed: ok.length, failed: failed.length },
    })
  }

  return { ...upstream, files, batches, script, instead, requestsOf: (id) => requests.get(id) ?? [], end }
}
