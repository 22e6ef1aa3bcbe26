import { expect, test } from 'vitest'
import { post } from '../../support/chat.ts'
import { begin, exactBooks, openPairs, PAIRS, type Pair, startReading, untilSaid } from '../../support/dialect-pairs.ts'

/** What tells a client of each dialect that the model has said all, or what it cost. */
const END: Record<string, RegExp> = {
  chat: /"finish_reason":"|"usage":\{|\[DONE\]/,
  completions: /"finish_reason":"|"usage":\{|\[DONE\]/,
  messages: /message_delta|message_stop/,
  gemini: /"finishReason"/,
  responses: /response\.completed/,
}
const endOf = ({ name }: Pair): RegExp => END[name.split(' ')[0] ?? ''] as RegExp

test('in every dialect, the end marker of a reply waits for the charge', async () => {
  const fixture = await openPairs()
  const { ledger } = fixture.toolkit
  let charge = () => {}
  const mayCharge = new Promise<void>((resolve) => {
    charge = resolve
  })
  const settle = ledger.settle.bind(ledger)
  const settling: unknown[] = []
  Object.assign(ledger, {
    async settle(...parameters: Parameters<typeof settle>) {
      settling.push(parameters)
      await mayCharge
      return settle(...parameters)
    },
  })
  let end = () => {}
  const mayEnd = new Promise<void>((resolve) => {
    end = resolve
  })
  fixture.behave(async (exchange, wire) => {
    await begin(exchange, wire)
    await mayEnd
    exchange.response.end(wire.end({}))
  })

  const readings = PAIRS.map((pair) => startReading(fixture, pair, true))
  await untilSaid(readings)
  end()
  await expect.poll(() => settling.length).toBe(PAIRS.length)

  const early = readings.filter(({ pair, text }) => endOf(pair).test(text)).map(({ pair }) => pair.name)
  charge()
  await Promise.all(readings.map(({ done }) => done))
  expect(early).toEqual([])
  const without = readings.filter(({ pair, text }) => !endOf(pair).test(text)).map(({ pair }) => pair.name)
  expect(without).toEqual([])
  await exactBooks(fixture, PAIRS.length)
})

/** Opens the pairs of a gateway that can store no charge. */
async function openLosing() {
  const fixture = await openPairs()
  const { ledger } = fixture.toolkit
  Object.assign(ledger, {
    async settle(hold: Parameters<typeof ledger.settle>[0]) {
      ledger.release(hold)
      return 'lost'
    },
  })
  return fixture
}

test('a reply whose charge is lost is not completed, in any dialect', async () => {
  const fixture = await openLosing()
  fixture.behave(async (exchange, wire) => {
    await begin(exchange, wire)
    exchange.response.end(wire.end({}))
  })

  const readings = PAIRS.map((pair) => startReading(fixture, pair, true))
  await Promise.allSettled(readings.map(({ done }) => done))

  expect(readings.filter(({ pair, text }) => endOf(pair).test(text)).map(({ pair }) => pair.name)).toEqual([])
})

test('a stream in one piece whose charge is lost becomes an error, in any dialect', async () => {
  const fixture = await openLosing()
  // Gemini's streams have no end marker, so their text is sent at once.
  const pairs = PAIRS.filter(({ name }) => !name.endsWith('→ gemini'))
  const answers = await Promise.all(pairs.map(({ client, model }) => post({ ...fixture, ...client.ask(model, true) })))
  expect(answers.map(({ status }) => status)).toEqual(pairs.map(() => 503))
})
