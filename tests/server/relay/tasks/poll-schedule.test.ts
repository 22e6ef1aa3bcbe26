import { pino } from 'pino'
import { expect, test } from 'vitest'
import { PollSchedule, type TaskAccount } from '../../../../server/relay/tasks/poll-schedule.ts'

const MINUTE = 60_000
const account = (channelId: number): TaskAccount => ({ channelId, keyDigest: '' })

function listener() {
  const clock = { now: 1_800_000_000_000 }
  const messages: string[] = []
  const logger = pino({ base: null, timestamp: false }, { write: (line: string) => void messages.push(line) })
  const listening = new PollSchedule(() => clock.now, logger)
  const round = async (ids: number[], work: (account: TaskAccount) => void) => {
    const polled: number[] = []
    await listening.round(ids.map(account), async (one) => {
      polled.push(one.channelId)
      work(one)
    })
    return polled
  }
  return { clock, messages, listening, round }
}

test('silent upstreams are polled less and less, responding ones each time, and only changes are logged', async () => {
  const { clock, messages, listening, round } = listener()
  const pollsByTask = new Map([1, 2].map((id) => [id, [] as number[]]))
  const tell = (silent: boolean) => (one: TaskAccount) =>
    silent && one.channelId === 1 ? listening.recordFailure(one, 'ECONNREFUSED') : listening.recordSuccess(one)
  for (let at = 0; at < 80; at++) {
    for (const id of await round([1, 2], tell(true))) pollsByTask.get(id)?.push(at)
    clock.now += 15_000
  }
  expect(pollsByTask.get(1)).toEqual([0, 1, 3, 7, 15, 31, 51, 71])
  expect(pollsByTask.get(2)).toHaveLength(80)
  expect(messages.map((line) => JSON.parse(line))).toEqual([
    { level: 40, channel: 1, reason: 'ECONNREFUSED', msg: 'an upstream tells nothing of its tasks' },
  ])
  clock.now += 5 * MINUTE
  await round([1, 2], tell(false))
  expect(messages).toHaveLength(2)
  expect(messages[1]).toContain('tells of its tasks again')
})

test('a poll starts nothing after ten seconds; skipped ones are first in the next', async () => {
  const { clock, listening, round } = listener()
  const ids = Array.from({ length: 40 }, (_, at) => at)
  const slow = (one: TaskAccount) => {
    clock.now += 4000
    listening.recordSuccess(one)
  }
  expect(await round(ids, slow)).toEqual([0, 1, 2])
  expect(await round(ids, slow)).toEqual([3, 4, 5])
})

test('a long poll is not downtime, a time without polls is', async () => {
  const { clock, listening, round } = listener()
  await round([1], () => {
    clock.now += 10 * MINUTE
  })
  const { since } = listening
  expect(since).toBe(1_800_000_000_000)
  clock.now += 4 * MINUTE
  await round([1], () => {})
  expect(listening.since).toBe(since)
  clock.now += 6 * MINUTE
  await round([1], () => {})
  expect(listening.since).toBe(clock.now)
})
