import { stopAll } from './chat.js'
import { alternate, compare, startLoad, startUpstream, tryGateway } from './sides.js'
import { cpuOfChunk, STREAM_BODY, streams } from './stream.js'

const { messages, model, max_tokens } = STREAM_BODY
const [system = '', prompt = ''] = messages.map(({ content }) => content)
const contents = [{ role: 'user', parts: [{ text: prompt }] }]

/** A request in the format of Messages for an upstream of chat completions. */
export const MESSAGES_ASK = {
  path: '/v1/messages',
  body: { model, system, messages: [{ role: 'user', content: prompt }], max_tokens, stream: true },
  lineFeeds: 3,
}

/** Requests whose format differs from the upstream's format. */
const TRANSLATIONS = [
  { name: 'Messages from chat', ...MESSAGES_ASK, budget: '≥ 0.50' },
  {
    name: 'Gemini from chat',
    path: `/v1beta/models/${model}:streamGenerateContent?alt=sse`,
    body: {
      systemInstruction: { parts: [{ text: system }] },
      contents,
      generationConfig: { maxOutputTokens: max_tokens },
    },
  },
  { name: 'chat from Messages', body: { ...STREAM_BODY, model: 'sim-bench-messages' } },
]

/** Compares 200 concurrent translated streams with native streams of the same gateway. @param {import('./sides.js').Bench} bench */
export async function measureTranslated(bench) {
  const upstream = await startUpstream(bench)
  const gateway = await tryGateway(bench, upstream, { messages: true })
  if (!gateway) return stopAll([upstream])
  const load = await startLoad(bench, 'stream-load')
  const passed = { ...gateway, name: 'passed on' }
  const sides = [passed, ...TRANSLATIONS.map((translation) => ({ ...gateway, ...translation }))]

  const [left = [], ...others] = await alternate(bench, sides, (side, seconds) => streams(bench, load, side, seconds))
  others.forEach((right, index) => {
    const { name = '', budget = '' } = TRANSLATIONS[index] ?? {}
    compare(bench, `${name} (right) to passed on (left), chunks/s`, [left, right], (one) => one.perSecond, { budget })
    compare(bench, `${name} to passed on, CPU of a chunk`, [left, right], cpuOfChunk, { unit: 'µs' })
  })
  bench.keep('translated', Object.fromEntries([left, ...others].map((figures, index) => [sides[index]?.name, figures])))
  await stopAll([load, upstream, gateway])
}
