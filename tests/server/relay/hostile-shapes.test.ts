import { describe, expect, test } from 'vitest'
import type { LiveChannel } from '../../../core/channels/routing/directory.ts'
import type { DialectName } from '../../../core/channels/routing/operations.ts'
import { CHANNEL_TYPES } from '../../../core/channels/types/types.ts'
import { GatewayError } from '../../../core/errors.ts'
import { plainUsage } from '../../../server/relay/charging/usage.ts'
import { collect } from '../../../server/relay/conversation/collect.ts'
import { DIALECTS } from '../../../server/relay/dialects/dialects.ts'
import type { Json } from '../../../server/relay/json.ts'
import { providerFor } from '../../../server/relay/providers/providers.ts'
import type { StreamEvent } from '../../../server/relay/transport/events.ts'
import { askFor, contextWith, liveChannel } from '../../support/ask.ts'
import { createSpoiler } from '../../support/hostile-json.ts'
import { BODIES, PNG, REPLIES } from '../../support/relay-samples.ts'
import { replyContext } from '../../support/reply-context.ts'
import { seeded } from '../../support/seeded.ts'
import { serviceAccountKey } from '../../support/service-account.ts'

const KEYS: Partial<Record<string, string>> = {
  vertex: serviceAccountKey(),
  bedrock: 'AKIDEXAMPLE|secret|us-east-1',
  tencent: '1|id|secret',
  baidu: 'id|secret',
  'zhipu-v3': 'id.secret',
  xunfei: 'app|secret|key',
}
const CHANNELS: LiveChannel[] = CHANNEL_TYPES.filter(({ operations }) => operations.includes('chat')).map((row) =>
  liveChannel(row.type, {
    key: (row.family && KEYS[row.family]) ?? 'k-12345678',
    other: row.family === 'vertex' ? 'us-central1' : row.family === 'dify' ? 'chat' : 'other',
  }),
)
/** One of each wire format. */
const FAMILIES = [...new Map(CHANNELS.map((channel) => [channel.type.family, channel])).values()]
const MODELS = [
  'm',
  'claude-3-7-sonnet-thinking',
  'gemini-2.5-flash',
  'meta/llama-4',
  'o3-mini-high',
  'qwen3-max',
  'grok-3-mini-high',
  'constructor',
]
const MEANS = contextWith({
  credential: async () => 'token',
  download: async () => ({ data: Buffer.from(PNG, 'base64'), mime: 'image/png' }),
  call: async () => ({ status: 200, headers: {}, body: Buffer.from('{"id":"x","data":{"id":"x"}}') }),
})
const DIALECT_NAMES = Object.keys(BODIES) as DialectName[]

/** What is no refusal, and the body that caused it. */
async function defectOf(body: Json, run: () => unknown): Promise<string | undefined> {
  try {
    await run()
  } catch (error) {
    if (error instanceof GatewayError) return undefined
    return `${(error as Error).stack?.split('\n').slice(0, 4).join('\n')} for ${JSON.stringify(body).slice(0, 3000)}`
  }
}

describe.each(DIALECT_NAMES)('%s with random values', (name) => {
  const random = seeded(29)
  const spoil = createSpoiler(random)
  const dialect = DIALECTS[name]
  const pick = <T>(values: readonly T[]): T => values[Math.floor(random() * values.length)] as T

  test('is parsed or rejected', async () => {
    for (let round = 0; round < 250; round++) {
      const body = spoil(BODIES[name])
      const defect = await defectOf(body, () => {
        dialect.check(body)
        dialect.prompt(body)
        dialect.limit(body)
        dialect.withSystemPrompt(body, 's', { before: true })
        dialect.parse(body)
      })
      expect(defect).toBeUndefined()
    }
  })

  test('is planned or rejected by every provider', async () => {
    for (let round = 0; round < 200; round++) {
      const body = round < CHANNELS.length ? BODIES[name] : spoil(BODIES[name])
      const channel = CHANNELS[round % CHANNELS.length] as LiveChannel
      const ask = askFor({ dialect: name, body, model: pick(MODELS), stream: random() < 0.5 })
      const defect = await defectOf(body, () => {
        dialect.check(body)
        return providerFor(channel.type).plan({ ...ask, conversation: () => dialect.parse(body) }, channel, MEANS)
      })
      expect(defect && `${channel.type.name}: ${defect}`).toBeUndefined()
    }
  })
})

function eventOf(name: string, chunk: Json): StreamEvent {
  const data = JSON.stringify(chunk)
  return { bytes: Buffer.from(`data: ${data}\n\n`), data, payload: chunk, done: false, name }
}

describe('replies with random values', () => {
  test('are read by every reader, and written in every dialect', async () => {
    const random = seeded(30)
    const spoil = createSpoiler(random)
    for (const [at, channel] of FAMILIES.entries()) {
      const body = { model: 'm', messages: [{ role: 'user', content: 'hi' }] }
      const ask = askFor({ body, model: MODELS[at % 4] ?? 'm', conversation: DIALECTS['openai-chat'].parse(body) })
      const plan = () => providerFor(channel.type).plan(ask, channel, MEANS)
      for (let round = 0; round < 4; round++) {
        const replies = REPLIES.map(([name, reply]): [string, Json] => [name, spoil(reply)])
        const { reader } = await plan()
        const { reader: wholes } = await plan()
        const dialect = DIALECTS[DIALECT_NAMES[round % DIALECT_NAMES.length] as DialectName]
        const writer = dialect.writer(replyContext())
        const forwarder = dialect.forwarder(replyContext({ renamesModel: true }))
        for (const [name, reply] of replies) {
          const event = eventOf(name, reply)
          const defect = await defectOf(reply, () => {
            for (const step of reader?.event(event) ?? []) writer.write(step)
            forwarder.isLast(event)
            forwarder.forward(event)
            const whole = wholes?.whole(reply) ?? []
            dialect.whole(collect(whole), plainUsage(1, 1), replyContext())
            dialect.withModelName(reply, 'm')
          })
          expect(defect && `${channel.type.name}, ${dialect.name}: ${defect}`).toBeUndefined()
        }
        expect(
          await defectOf({}, () => [reader?.close?.(), writer.end(plainUsage(1, 1)), forwarder.end(undefined)]),
        ).toBeUndefined()
      }
    }
  })

  test('that fail are a failure', async () => {
    const spoil = createSpoiler(seeded(31))
    for (const { type } of FAMILIES) {
      for (const [, reply] of REPLIES) {
        const spoilt = spoil(reply)
        expect(await defectOf(spoilt, () => providerFor(type).failure(400, JSON.stringify(spoilt), {}))).toBeUndefined()
      }
    }
  })
})

test.each(['constructor', 'hasOwnProperty', '__proto__', 'toString'])(
  '%s is not a known block: its text stays',
  (type) => {
    const content = [{ type, text: 'hi', kind: 'call' }]
    const { turns } = DIALECTS['anthropic-messages'].parse({
      model: 'm',
      max_tokens: 1,
      messages: [{ role: 'user', content }],
    })
    expect(turns).toEqual([{ role: 'user', parts: [{ kind: 'text', text: 'hi' }] }])
  },
)
