import { describe, expect, test } from 'vitest'
import { GatewayError } from '../../../../../core/errors.ts'
import { ali } from '../../../../../server/relay/providers/ali/ali.ts'
import type { Plan, ProviderContext } from '../../../../../server/relay/providers/provider.ts'
import { askFor, contextWith, liveChannel } from '../../../../support/ask.ts'

const START = 1_700_000_000_000

/** A clock that only sleeping moves, and an upstream that answers these looks at a job, the last one again and again. */
function clockwork(looks: unknown[]) {
  let now = START
  const calls: Parameters<ProviderContext['call']>[0][] = []
  const context = contextWith({
    now: () => now,
    async sleep(ms) {
      now += ms
    },
    async call(request) {
      calls.push(request)
      const look = looks.length > 1 ? looks.shift() : looks[0]
      if (look instanceof Error) throw look
      const { status = 200, ...body } = look as { status?: number }
      return { status, headers: {}, body: Buffer.from(JSON.stringify(body)) }
    },
  })
  return { context, calls, waited: () => now - START }
}

const channel = liveChannel(17, { key: 'sk-ali', baseUrl: 'https://own.example' })
async function plan(body: object, { model = 'wanx-v1', context = contextWith() } = {}): Promise<Plan> {
  return ali.plan(askFor({ operation: 'images', model, body: { ...body } }), channel, context)
}
const bodyOf = ({ request }: Plan) => JSON.parse(String(request.body))
const job = (task_status: string, more: object = {}) => ({ output: { task_id: 'job 1', task_status, ...more } })
const done = (...results: object[]) => job('SUCCEEDED', { results })

describe('pictures as jobs', () => {
  test.each(['wanx-v1', 'qwen-image'])('of %s are not requested in an unpriced number or size', async (model) => {
    for (const parameters of [{ n: 4 }, { size: '1792*1024' }]) {
      await expect(plan({ prompt: 'a', n: 1, parameters }, { model })).rejects.toMatchObject({
        code: 'REQUEST_MALFORMED',
      })
    }
  })

  test('are requested with renamed and additional fields', async () => {
    const planned = await plan({
      prompt: 'a cat',
      n: 2,
      size: '1024x768',
      style: '<anime>',
      quality: 'hd',
      user: 'u',
      negative_prompt: 'dog',
      seed: 0,
      parameters: { ref_mode: 'repaint' },
    })
    expect(planned.request).toMatchObject({
      url: 'https://own.example/api/v1/services/aigc/text2image/image-synthesis',
      headers: { authorization: 'Bearer sk-ali', 'x-dashscope-async': 'enable' },
    })
    expect(bodyOf(planned)).toEqual({
      model: 'wanx-v1',
      input: { prompt: 'a cat', negative_prompt: 'dog' },
      parameters: { size: '1024*768', n: 2, style: '<anime>', seed: 0, ref_mode: 'repaint' },
    })
    expect(bodyOf(await plan({ prompt: 'a', size: 'auto', style: 'vivid', n: null })).parameters).toEqual({ n: 1 })
  })

  test('are polled at the channel’s address, every three seconds, until they are finished', async () => {
    const { context, calls, waited } = clockwork([
      job('PENDING'),
      new Error('reset'),
      { status: 503 },
      job('RUNNING'),
      done({ url: 'https://oss.example/1.png', actual_prompt: 'a fine cat' }, { code: 'Bad', message: 'no' }),
    ])
    const planned = await plan({ prompt: 'a' }, { context })
    expect(await planned.complete?.(job('PENDING'))).toEqual({
      created: (START + 15_000) / 1000,
      data: [{ url: 'https://oss.example/1.png', revised_prompt: 'a fine cat' }],
    })
    expect(waited()).toBe(15_000)
    expect(new Set(calls.map(({ url }) => url))).toEqual(new Set(['https://own.example/api/v1/tasks/job%201']))
    expect(calls[0]).toMatchObject({ method: 'GET', headers: { authorization: 'Bearer sk-ali' }, body: null })
  })

  test('are returned as bytes on request, by the guarded download', async () => {
    const { context, calls } = clockwork([done({ url: 'https://oss.example/1.png' })])
    const media: ProviderContext['download'] = async (url) => ({ data: Buffer.from(url), mime: 'image/png' })
    const planned = await plan(
      { prompt: 'a', response_format: 'b64_json' },
      { context: { ...context, download: media } },
    )
    expect(await planned.complete?.(job('RUNNING'))).toMatchObject({
      data: [{ b64_json: Buffer.from('https://oss.example/1.png').toString('base64') }],
    })
    expect(calls.map(({ url }) => url)).toEqual(['https://own.example/api/v1/tasks/job%201'])
  })

  test('that cannot be fetched are a failure of the upstream', async () => {
    const media: ProviderContext['download'] = async () => {
      throw new GatewayError('MEDIA_REFUSED', { reason: 'its host is not a public one' })
    }
    const planned = await plan(
      { prompt: 'a', response_format: 'b64_json' },
      { context: contextWith({ download: media }) },
    )
    const message = 'A picture could not be loaded from the upstream: its host is not a public one'
    expect(await planned.complete?.(done({ url: 'http://127.0.0.1/1.png' }))).toEqual({
      error: { message, status: 502 },
    })
  })

  test('time out after two minutes', async () => {
    const { context, waited } = clockwork([job('RUNNING')])
    const planned = await plan({ prompt: 'a' }, { context })
    expect(await planned.complete?.(job('PENDING'))).toEqual({
      error: { message: 'The pictures were not ready in time', status: 504 },
    })
    expect(waited()).toBe(120_000)
  })

  test('end with the relay', async () => {
    const context = contextWith({ sleep: () => Promise.reject(new Error('over')) })
    await expect((await plan({ prompt: 'a' }, { context })).complete?.(job('PENDING'))).rejects.toThrow('over')
  })

  test.each([
    [
      job('FAILED', { code: 'DataInspectionFailed', message: 'no' }),
      { message: 'no', status: 400, type: 'DataInspectionFailed' },
    ],
    [job('CANCELED'), { message: 'The upstream returned no picture', status: 502 }],
    [job('UNKNOWN'), { message: 'The upstream returned no picture', status: 502 }],
    [done({ code: 'Throttling.Queue', message: 'busy' }), { message: 'busy', status: 429, type: 'Throttling.Queue' }],
    [
      { code: 'InvalidParameter', message: 'bad size' },
      { message: 'bad size', status: 400, type: 'InvalidParameter' },
    ],
  ])('that failed have the reason: %j', async (reply, error) => {
    expect(await (await plan({ prompt: 'a' })).complete?.(reply)).toEqual({ error })
  })
})

describe('synchronous pictures', () => {
  test('are requested and returned in messages', async () => {
    const planned = await plan({ prompt: 'a cat', size: '1328x1328', watermark: false }, { model: 'qwen-image-plus' })
    expect(planned.request.url).toBe('https://own.example/api/v1/services/aigc/multimodal-generation/generation')
    expect(planned.request.headers).not.toHaveProperty('x-dashscope-async')
    expect(bodyOf(planned)).toEqual({
      model: 'qwen-image-plus',
      input: { messages: [{ role: 'user', content: [{ text: 'a cat' }] }] },
      parameters: { size: '1328*1328', watermark: false },
    })
    const content = [{ image: 'https://oss.example/1.png' }, { text: 'said' }]
    expect(await planned.complete?.({ output: { choices: [{ message: { content } }] } })).toEqual({
      created: START / 1000,
      data: [{ url: 'https://oss.example/1.png' }],
    })
  })
})
