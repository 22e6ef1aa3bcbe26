import type { ServerResponse } from 'node:http'

export interface DemoPace {
  /** Milliseconds before the first token. */
  firstTokenMs: number
  /** Pieces per second in a stream. 0 means as fast as the socket accepts them. */
  tokensPerSecond: number
}

/** The end of a reply. `break` destroys the socket before the end, like a failing upstream. */
export type DemoEnding = 'whole' | 'break'

const SSE_HEADERS = { 'content-type': 'text/event-stream; charset=utf-8', 'cache-control': 'no-cache' }

export function sendJson(response: ServerResponse, status: number, json: string | Buffer, headers = {}): void {
  response.writeHead(status, {
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(json),
    ...headers,
  })
  response.end(json)
}

/** Sends a JSON body after the time to the first token, unless the client has disconnected. */
export function sendAnswer(response: ServerResponse, json: string | Buffer, pace: DemoPace, ending: DemoEnding): void {
  if (pace.firstTokenMs > 0) {
    const timer = setTimeout(() => sendAnswer(response, json, { ...pace, firstTokenMs: 0 }, ending), pace.firstTokenMs)
    response.once('close', () => clearTimeout(timer))
  } else if (ending === 'whole') {
    sendJson(response, 200, json)
  } else {
    const bytes = Buffer.from(json)
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': bytes.length })
    response.write(bytes.subarray(0, bytes.length / 2), () => response.destroy())
  }
}

/**
 * Sends `tokensPerSecond` frames per second, or one frame per turn of the event loop if it is 0. Each frame has a due
 * time, so a late timer does not lower the rate. Waits while the socket is full, and stops when the client disconnects.
 */
export function sendStream(
  response: ServerResponse,
  frames: Iterator<string | Buffer>,
  pace: DemoPace,
  ending: DemoEnding,
): void {
  const intervalMs = pace.tokensPerSecond > 0 ? 1_000 / pace.tokensPerSecond : 0
  let due = performance.now() + pace.firstTokenMs
  let timer: NodeJS.Timeout | undefined
  let tick: NodeJS.Immediate | undefined

  const step = () => {
    const { done, value } = frames.next()
    if (done) {
      if (ending === 'whole') response.end()
      else response.destroy()
      return
    }
    if (!response.headersSent) response.writeHead(200, SSE_HEADERS)
    due += intervalMs
    if (response.write(value)) schedule()
    else response.once('drain', schedule)
  }
  const schedule = () => {
    const waitMs = intervalMs > 0 || !response.headersSent ? due - performance.now() : 0
    if (waitMs > 0) timer = setTimeout(step, waitMs)
    else tick = setImmediate(step)
  }
  response.once('close', () => {
    clearTimeout(timer)
    clearImmediate(tick)
  })
  schedule()
}
