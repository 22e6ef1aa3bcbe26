import { expect, test } from 'vitest'
import { charges, otherOf } from '../../support/books.ts'
import { countInEarnest } from '../../support/counting.ts'
import {
  answering,
  begin,
  counted,
  exactBooks,
  expectRows,
  OUTPUT,
  openPairs,
  PAIRS,
  PATIENCE,
  type Reading,
  type Row,
  startReading,
  untilSaid,
} from '../../support/dialect-pairs.ts'
import { sendJson, startStream } from '../../support/hand-made-upstream.ts'
import type { WireName } from '../../support/wires.ts'

countInEarnest()

/**
 * 30 plain tokens, 40 × 0.25 cached, 30 × 1.25 written, 20 × 7 of completion: 217.5 × 3, half up. Of Messages 10 are written
 * for an hour, at 1.6 times as much: 225 × 3. The others write nothing: (60 + 10 + 140) × 3.
 */
const QUOTA: Record<WireName, number> = { chat: 653, messages: 675, gemini: 630, responses: 630, completions: 630 }
const reported = (wire: WireName) => ({ prompt_tokens: 100, completion_tokens: 20, quota: QUOTA[wire] })
const WHOLE = { status: 200, content: OUTPUT, ended: true, error: undefined }

test('a client that gets a whole reply pays the reported usage, or the counted one', async () => {
  const fixture = await openPairs()
  const rows = (stream: boolean): Record<string, Row> => ({
    [`usage reported, stream: ${stream}`]: {
      behaviour: answering(),
      stream,
      expected: ({ wire }) => ({ ...WHOLE, used: [100, 20], log: { ...reported(wire), is_stream: stream } }),
    },
    [`no usage, stream: ${stream}`]: {
      behaviour: answering({ usage: false }),
      stream,
      expected: (pair) => ({ ...WHOLE, log: { ...counted(pair), other: { estimated: true } } }),
    },
    [`cut at its length, stream: ${stream}`]: {
      behaviour: answering({ cut: true }),
      stream,
      expected: ({ client, wire }) => ({ ...WHOLE, stop: client.cut, log: reported(wire) }),
    },
  })

  await expectRows(fixture, { ...rows(false), ...rows(true) })

  expect((await charges(fixture)).filter(({ other }) => other.includes('incomplete'))).toEqual([])
})

test('a channel that fails before its first token costs nothing; the reply of another is charged', async () => {
  const fixture = await openPairs()
  const retried: Row['expected'] = ({ wire }) => ({ ...WHOLE, log: { ...reported(wire), other: { attempts: 2 } } })
  const row = (behaviour: Row['behaviour'], stream = true): Row => ({ behaviour, stream, expected: retried })

  await expectRows(fixture, {
    'answers 500 to a whole request': row((exchange) => sendJson(exchange, { error: { message: 'no' } }, 500), false),
    'answers 500 to a stream': row((exchange) => sendJson(exchange, { error: { message: 'no' } }, 500)),
    'hangs up': row(({ response }) => response.destroy()),
    'sends an error first': row((exchange, wire) => {
      startStream(exchange)
      exchange.response.end(wire.error('overloaded'))
    }),
    'ends a stream without a word': row((exchange) => {
      startStream(exchange)
      exchange.response.end()
    }),
  })

  expect(await charges(fixture)).toHaveLength(5 * PAIRS.length)
})

test('an upstream that breaks off after its first token is charged for its output, and never for its error', async () => {
  const fixture = await openPairs()
  const row = (behaviour: Row['behaviour'], error: unknown = expect.any(String)): Row => ({
    behaviour,
    stream: true,
    expected: (pair) => ({
      status: 200,
      content: OUTPUT,
      ended: false,
      error,
      log: {
        ...counted(pair),
        other: { incomplete: true, end_reason: 'upstream-broke', estimated: true, attempts: 1 },
      },
    }),
  })
  const text = 'a long text about all that went wrong upstream'

  await expectRows(fixture, {
    'sends an error': row(
      (exchange, wire) => begin(exchange, wire).then(() => exchange.response.end(wire.error(text))),
      expect.stringContaining(text),
    ),
    'hangs up': row((exchange, wire) => begin(exchange, wire).then(() => exchange.response.destroy())),
    'ends without an end': row((exchange, wire) => begin(exchange, wire).then(() => exchange.response.end())),
  })
})

test('an upstream without a first token in time costs nothing; one that falls silent later costs its output', async () => {
  const fixture = await openPairs({ settings: { FIRST_TOKEN_TIMEOUT: '2', RELAY_TIMEOUT: '2' } })

  await expectRows(fixture, {
    late: {
      behaviour: (exchange) => {
        startStream(exchange)
        exchange.response.write(': thinking\n\n')
      },
      stream: true,
      expected: ({ wire }) => ({ ...WHOLE, log: { ...reported(wire), other: { attempts: 2 } } }),
    },
    silent: {
      behaviour: begin,
      stream: true,
      expected: (pair) => ({
        content: OUTPUT,
        ended: false,
        error: expect.any(String),
        log: { ...counted(pair), other: { incomplete: true, end_reason: 'upstream-broke' } },
      }),
    },
  })
})

test('a client that disconnects pays nothing before the first token, and later for the output; the upstream is aborted', async () => {
  const fixture = await openPairs()
  await fixture.toolkit.options.set(fixture.root, 'CompleteAfterDisconnect', 'false')
  const { upstream } = fixture
  const leaveAll = async (stream: boolean, until: (readings: Reading[]) => unknown = () => undefined) => {
    const before = upstream.seen.length
    const leaving = new AbortController()
    const readings = PAIRS.map((pair) => startReading(fixture, pair, stream, leaving.signal))
    const left = Promise.allSettled(readings.map(({ done }) => done))
    await expect.poll(() => upstream.seen.length, PATIENCE).toBe(before + PAIRS.length)
    await until(readings)
    leaving.abort()
    await expect.poll(() => upstream.seen.slice(before).every(({ whole }) => whole === false), PATIENCE).toBe(true)
    await left
  }

  fixture.behave((exchange) => startStream(exchange))
  await leaveAll(true)
  fixture.behave(() => {})
  await leaveAll(false)
  expect(await exactBooks(fixture)).toEqual([])

  fixture.behave(begin)
  await leaveAll(true, untilSaid)
  const paid = (await exactBooks(fixture, PAIRS.length)).map(
    ({ prompt_tokens, completion_tokens, quota, model_name }) => ({
      model_name,
      prompt_tokens,
      completion_tokens,
      quota,
    }),
  )
  const due = PAIRS.map((pair) => ({ model_name: pair.model, ...counted(pair) }))
  const sorted = (rows: object[]) => rows.map((row) => JSON.stringify(row)).sort()
  expect(sorted(paid)).toEqual(sorted(due))
  const ends = (await charges(fixture)).map((log) => otherOf(log))
  expect(ends.every(({ incomplete, end_reason }) => incomplete === true && end_reason === 'client-gone')).toBe(true)
})

test('a stopping gateway ends every stream with an error of its dialect, and charges the output', async () => {
  const fixture = await openPairs()
  fixture.behave(begin)
  const readings = PAIRS.map((pair) => startReading(fixture, pair, true))
  await untilSaid(readings)

  await fixture.gateway.close()

  const logs = await exactBooks(fixture, PAIRS.length)
  await Promise.all(readings.map(({ done }) => done))
  for (const { pair, requestId, text } of readings) {
    const got = pair.client.read(text, true)
    const stopped = { content: OUTPUT, ended: false, error: expect.stringContaining('The gateway is stopping') }
    expect({ name: pair.name, ...got }).toMatchObject({ name: pair.name, ...stopped })
    const log = logs.find(({ request_id }) => request_id === requestId)
    expect({ ...log, name: pair.name }).toMatchObject({ name: pair.name, ...counted(pair) })
    expect(log && otherOf(log)).toMatchObject({ incomplete: true, end_reason: 'stopping' })
  }
})
