import { expect, test, vi } from 'vitest'
import { customer, openTestGateway } from '../../support/gateway.ts'
import { CLIENTS, type Client } from './clients.ts'
import { UPSTREAMS, type Upstream } from './families.ts'
import {
  type Case,
  COMPLETION_TOKENS,
  ERROR_TEXT,
  EVIDENCE,
  FEATURES,
  type Feature,
  MEANT,
  type Parsed,
  PROMPT_TOKENS,
} from './meant.ts'
import { startMock } from './mock.ts'

// Counting happens in a worker thread, which needs the built file.
vi.mock(
  '../../../server/relay/counting/tokenizer.ts',
  () => import('../../../dist/server/relay/counting/tokenizer.js' as string),
)

const modelOf = ({ name }: Upstream) => `matrix-${name.toLowerCase().replace(/\W+/g, '-')}`

async function openWorld() {
  const mock = await startMock()
  const world = await openTestGateway()
  const models = UPSTREAMS.map(modelOf)
  await world.toolkit.options.set(
    world.root,
    'ModelRatio',
    JSON.stringify(Object.fromEntries(models.map((m) => [m, 1]))),
  )
  for (const upstream of UPSTREAMS) {
    const model = modelOf(upstream)
    const mapping = upstream.model ? { model_mapping: JSON.stringify({ [model]: upstream.model }) } : {}
    await world.channel({ models: model, ...mapping, ...upstream.channel(mock.url) })
  }
  const { key } = await customer(world)
  return { ...world, mock, key }
}
type World = Awaited<ReturnType<typeof openWorld>>

const COMPLETIONS_ONLY_TEXT = new Set<Feature>([
  'tools',
  'parallel tools',
  'image in',
  'reasoning',
  'structured output',
])

function casesFor(dialect: string, upstream: Upstream): Case[] {
  return FEATURES.filter((feature) => !upstream.without?.[feature])
    .filter((feature) => dialect !== 'openai-completions' || !COMPLETIONS_ONLY_TEXT.has(feature))
    .flatMap((feature): Case[] =>
      feature === 'mid-stream break'
        ? [{ feature, stream: true }]
        : [
            { feature, stream: false },
            { feature, stream: true },
          ],
    )
}

/** What is wrong with one case; undefined when nothing is. */
async function problemWith(
  world: World,
  { client, upstream, asked }: { client: Client; upstream: Upstream; asked: Case },
): Promise<string | undefined> {
  world.mock.clearRequests()
  let parsed: Parsed
  try {
    parsed = await client({ ...asked, model: modelOf(upstream), url: world.url, key: world.key })
  } catch (error) {
    const message = (error as Error).message
    if (asked.feature === 'error') return message.includes(ERROR_TEXT) ? undefined : `threw: ${message}`
    return asked.feature === 'mid-stream break' ? undefined : `threw: ${message}`
  }
  if (asked.feature === 'error' || asked.feature === 'mid-stream break')
    return `threw nothing: ${JSON.stringify(parsed)}`
  const evidence = EVIDENCE[asked.feature]
  const sent = JSON.stringify(world.mock.getRequests().map(({ body }) => body))
  if (evidence && !sent.includes(evidence)) return `did not reach the upstream: ${sent.slice(0, 300)}`
  const { promptTokens, completionTokens, ...said } = parsed
  if (JSON.stringify(said) !== JSON.stringify(reordered(MEANT[asked.feature], said)))
    return `said ${JSON.stringify(said)}`
  if (upstream.countsUsage) return undefined
  return promptTokens === PROMPT_TOKENS && completionTokens === COMPLETION_TOKENS
    ? undefined
    : `used ${promptTokens} and ${completionTokens}`
}

function reordered(meant: object, like: object): object {
  return Object.fromEntries(
    [...new Set([...Object.keys(like), ...Object.keys(meant)])].map((name) => [name, meant[name as never]]),
  )
}

test.each(Object.entries(CLIENTS))(
  '%s: what the library reads is what every upstream meant',
  async (dialect, client) => {
    const world = await openWorld()
    const problems: string[] = []
    for (const upstream of UPSTREAMS) {
      for (const asked of casesFor(dialect, upstream)) {
        const problem = await problemWith(world, { client, upstream, asked })
        if (problem) problems.push(`${upstream.name}, ${asked.feature}${asked.stream ? ', streamed' : ''}: ${problem}`)
      }
    }
    expect(problems).toEqual([])
  },
  120_000,
)
