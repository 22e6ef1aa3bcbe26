import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { countInEarnest } from '../../support/counting.ts'
import { customer, openTestGateway } from '../../support/gateway.ts'
import { type RecordedReply, startRecorder } from '../../support/recorder.ts'
import { problemsWithTypes, typed } from '../../support/reply-types/check.ts'
import { startAimock } from './aimock.ts'
import { fateOf, modelOf, problemWith, type Question } from './asking.ts'
import { CLIENTS } from './clients.ts'
import { FEATURES, type Feature } from './meant.ts'
import { openMockUpstreams } from './mock-upstreams.ts'
import { type Cell, withResults } from './table.ts'
import { slugOf, UPSTREAMS, type Upstream } from './upstreams.ts'

countInEarnest()

/** Rewritten by `npm run matrix`. */
const DOCUMENT = join(fileURLToPath(new URL('../../..', import.meta.url)), 'docs/compatibility.md')

/** A gateway with a channel to each upstream, and a model of its own behind each. */
type Fixture = Awaited<ReturnType<typeof openFixture>>
async function openFixture() {
  const aimock = await startAimock()
  const mockUpstreams = await openMockUpstreams(
    UPSTREAMS.map((upstream) => ({ ...upstream, slug: slugOf(upstream), answer: upstream.answer(aimock) })),
  )
  const fixture = await openTestGateway()
  const prices = Object.fromEntries(UPSTREAMS.map((upstream) => [modelOf(upstream), 1]))
  await fixture.toolkit.options.set(fixture.root, 'ModelRatio', JSON.stringify(prices))
  for (const upstream of UPSTREAMS) {
    const model = modelOf(upstream)
    const mapping = upstream.model ? { model_mapping: JSON.stringify({ [model]: upstream.model }) } : {}
    await fixture.channel({ models: model, ...mapping, ...upstream.channel(mockUpstreams.urlOf(slugOf(upstream))) })
  }
  const { key } = await customer(fixture, { user: { quota: 1_000_000_000 } })
  const recorder = await startRecorder(fixture.url)
  return { ...fixture, url: recorder.url, recorder, mockUpstreams, key }
}

/** The old text completions have no place for anything but text. */
const TEXT_FEATURES: readonly Feature[] = ['plain', 'stream', 'error', 'mid-stream break']
/** Asked for in one way only: the others are asked for with a stream and without. */
const STREAMED: Partial<Record<Feature, readonly boolean[]>> = {
  plain: [false],
  stream: [true],
  'mid-stream break': [true],
}

async function cellFor(question: Question, feature: Feature): Promise<Cell> {
  if (question.upstream.lacks?.[feature]) return { fate: await fateOf(question, { feature, stream: false }) }
  const problems: string[] = []
  for (const stream of STREAMED[feature] ?? [false, true]) {
    const problem = await problemWith(question, { feature, stream })
    if (problem) problems.push(`${stream ? 'streamed' : 'whole'}: ${problem}`)
  }
  const inOwnWay =
    question.dialect === 'openai-chat' && feature === 'reasoning' && question.upstream.inChat?.reasoning !== undefined
  return { problems, inOwnWay }
}

const cells = new Map<string, Cell>()
const keyOf = (dialect: string, upstream: Upstream, feature: Feature) => `${dialect}, ${upstream.name}, ${feature}`

/** Differences of the replies from the library's own types. What an upstream sent in this format passes unchanged, as it was sent. */
async function problemsWithReplies({ recorder, mockUpstreams }: Fixture, dialect: string): Promise<string[]> {
  const written = recorder.replies.flatMap((reply) => {
    const upstream = UPSTREAMS.find((one) => namesModel(reply, modelOf(one)))
    if (!upstream) throw new Error(`No upstream has the model of ${reply.path}`)
    return typed(reply, `${dialect} over ${upstream.name}`).filter(
      ({ value }) => !mockUpstreams.hasSent(slugOf(upstream), value),
    )
  })
  expect(written.length).toBeGreaterThan(UPSTREAMS.length)
  return problemsWithTypes(written)
}
const namesModel = ({ path, request }: RecordedReply, model: string) =>
  request.includes(`"${model}"`) || path.includes(`/${model}:`)

test.each(Object.entries(CLIENTS))(
  "%s: the library reads each upstream's meaning, and the charge is correct",
  async (dialect, client) => {
    const fixture = await openFixture()
    const features = dialect === 'openai-completions' ? TEXT_FEATURES : FEATURES

    await Promise.all(
      UPSTREAMS.map(async (upstream) => {
        const question = { fixture, dialect, client, upstream, seen: { id: 0 } }
        for (const feature of features) {
          cells.set(keyOf(dialect, upstream, feature), await cellFor(question, feature))
        }
      }),
    )

    const problems = [...cells].flatMap(([key, cell]) =>
      key.startsWith(`${dialect}, `) && 'problems' in cell ? cell.problems.map((problem) => `${key}: ${problem}`) : [],
    )
    expect(problems).toEqual([])
    expect(await problemsWithReplies(fixture, dialect)).toEqual([])
  },
  120_000,
)

test('docs/compatibility.md has these results (update them with: npm run matrix)', async () => {
  const formats = Object.keys(CLIENTS).length
  expect(cells.size).toBe(UPSTREAMS.length * (FEATURES.length * (formats - 1) + TEXT_FEATURES.length))
  const document = withResults(await readFile(DOCUMENT, 'utf8'), {
    dialects: Object.keys(CLIENTS),
    upstreams: UPSTREAMS,
    cellOf: (dialect, upstream, feature) => cells.get(keyOf(dialect, upstream, feature)),
  })

  await expect(document).toMatchFileSnapshot(DOCUMENT)
})
