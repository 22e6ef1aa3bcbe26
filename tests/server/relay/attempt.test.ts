import { EventEmitter } from 'node:events'
import { describe, expect, test } from 'vitest'
import { GatewayError } from '../../../core/errors.ts'
import { type AttemptParts, attempt } from '../../../server/relay/attempt/attempt.ts'
import { createProviderContexts } from '../../../server/relay/attempt/provider-context.ts'
import type { ProviderContext } from '../../../server/relay/providers/provider.ts'
import { EVENT_BYTES_MAX } from '../../../server/relay/transport/sse.ts'
import type { Upstream } from '../../../server/relay/transport/upstream.ts'
import { UpstreamBody } from '../../../server/relay/transport/upstream-reply.ts'
import { askFor, contextWith, liveChannel } from '../../support/ask.ts'
import { say } from '../../support/hand-made-upstream.ts'
import { sse } from '../../support/wire.ts'

const OPENAI = 1
const GEMINI = 24

interface Reply {
  type?: string
  pieces?: (string | Buffer)[]
  /** Whether the body ends, breaks, or goes on after its pieces. */
  after?: 'ends' | 'breaks' | 'stays'
}

/** One attempt at an upstream without a network. `hungUp`: whether the exchange was aborted. */
function attemptAt(
  { type = 'application/json', pieces = [], after = 'ends' }: Reply,
  {
    ask = {},
    channelType = OPENAI,
    context,
  }: { ask?: Parameters<typeof askFor>[0]; channelType?: number; context?: Partial<ProviderContext> } = {},
) {
  const state = { sent: 0, hungUp: false }
  const upstream: Upstream = {
    send: () => Promise.reject(new Error('unused')),
    dispatch(_request, _options, listener) {
      state.sent += 1
      const body = new UpstreamBody()
      body.controller = {
        abort: () => {
          state.hungUp = true
          body.end(new Error('aborted'))
        },
        pause: () => undefined,
        resume: () => undefined,
        aborted: false,
        paused: false,
        reason: null,
      }
      for (const piece of pieces) body.push(Buffer.from(piece as string))
      if (after !== 'stays') body.end(after === 'breaks' ? new Error('reset') : undefined)
      listener.onReply({ statusCode: 200, headers: { 'content-type': type }, body })
    },
    agent: () => undefined,
    close: async () => undefined,
  }
  const interruption: AttemptParts['interruption'] = {
    signal: new EventEmitter(),
    cause: undefined,
    endAttempt: () => void interruption.signal.emit('abort'),
  }
  const parts = { upstream, context: contextWith(context), interruption, relayTimeoutMs: 1000, firstTokenTimeoutMs: 0 }
  const providerRequest = askFor({ body: { model: 'm' }, ...ask })
  return { state, interruption, run: () => attempt(providerRequest, liveChannel(channelType), parts) }
}

const STREAM = { type: 'text/event-stream' }

describe('an unused reply is closed', () => {
  test('a long stream without output', async () => {
    const empty = sse({ choices: [], filler: 'x'.repeat(EVENT_BYTES_MAX / 4) })
    const { state, run } = attemptAt(
      { ...STREAM, pieces: Array(5).fill(empty), after: 'stays' },
      { ask: { stream: true } },
    )

    expect(await run()).toMatchObject({ kind: 'failure', failure: { code: 'do_request_failed' } })
    expect(state.hungUp).toBe(true)
  })

  test('an error in a stream that is read as a whole', async () => {
    const pieces = [sse(say('hi')), sse({ error: { message: 'overloaded' } })]
    const { state, run } = attemptAt({ ...STREAM, pieces, after: 'stays' })

    expect(await run()).toMatchObject({ kind: 'failure' })
    expect(state.hungUp).toBe(true)
  })
})

describe('an empty reply is a failure, and the next channel is used', () => {
  const ask = { operation: 'speech' as const, body: { model: 'm', input: 'hello', voice: 'alloy' } }
  const audio = { type: 'audio/mpeg' }

  test.each(['ends', 'breaks'] as const)('speech of no bytes that %s', async (after) => {
    expect(await attemptAt({ ...audio, after }, { ask }).run()).toMatchObject({
      kind: 'failure',
      failure: { status: 502, retry: 'other-channel' },
    })
  })

  test('speech that has started is sent with its first bytes', async () => {
    const result = await attemptAt({ ...audio, pieces: ['abc'], after: 'stays' }, { ask }).run()

    expect(result).toMatchObject({ kind: 'bytes', first: Buffer.from('abc') })
  })

  test.each([
    ['openai-chat', OPENAI],
    ['gemini', GEMINI],
    ['anthropic-messages', 14],
  ] as const)('invalid JSON, for %s', async (dialect, channelType) => {
    const result = await attemptAt({ pieces: ['{"hello":1}'] }, { ask: { dialect }, channelType }).run()

    expect(result).toMatchObject({ kind: 'failure', failure: { code: 'bad_response_body', retry: 'other-channel' } })
  })
})

describe('a rejection', () => {
  const ask = { operation: 'images' as const, model: 'imagen-4.0-generate-001', body: { prompt: 'a cat' } }

  test('in the reply is final, because the upstream was called', async () => {
    const { run } = attemptAt(
      { pieces: ['{"predictions":[{"raiFilteredReason":"no cats"}]}'] },
      { ask, channelType: GEMINI },
    )

    await expect(run()).rejects.toMatchObject({ code: 'REQUEST_MALFORMED', params: { reason: 'no cats' } })
  })

  test('by a channel without a call skips it', async () => {
    const { state, run } = attemptAt(
      {},
      { ask: { ...ask, body: { prompt: 'a cat', size: '1x1' } }, channelType: GEMINI },
    )

    expect(await run()).toMatchObject({ kind: 'passed-over', refusal: { code: 'REQUEST_MALFORMED' } })
    expect(state.sent).toBe(0)
  })
})

describe('a client that disconnects during preparation', () => {
  test('gets no reply', async () => {
    const conversation = {
      turns: [
        {
          role: 'user' as const,
          parts: [{ kind: 'image' as const, media: { url: 'https://pictures.example/a.png' } }],
        },
      ],
      tools: [],
      extras: {},
    }
    const { state, interruption, run } = attemptAt(
      {},
      {
        ask: { conversation },
        channelType: GEMINI,
        context: {
          async download() {
            interruption.cause = 'client-gone'
            interruption.signal.emit('abort')
            return { data: Buffer.from('png'), mime: 'image/png' }
          },
        },
      },
    )

    expect(await run()).toEqual({ kind: 'cut' })
    expect(state.sent).toBe(0)
  })

  test('causes no further request', async () => {
    const requests: string[] = []
    const note = async (): Promise<never> => {
      requests.push('asked')
      throw new GatewayError('INTERNAL' as never)
    }
    const context = createProviderContexts({
      mediaBytesMax: 0,
      upstream: { send: note, dispatch: () => void note(), agent: () => undefined, close: async () => undefined },
      media: note,
      credentials: contextWith(),
      signatures: contextWith().signatures,
    })(liveChannel(OPENAI), { signal: new EventEmitter(), cause: 'client-gone' })

    await expect(context.call({ url: 'https://upstream.example', headers: {}, body: null })).rejects.toThrow('ended')
    await expect(context.download('https://pictures.example/a.png')).rejects.toThrow('ended')
    await expect(context.sleep(60_000)).rejects.toThrow('ended')
    expect(requests).toEqual([])
  })
})
