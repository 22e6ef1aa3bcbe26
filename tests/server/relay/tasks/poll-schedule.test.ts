import { pino } from 'pino'
import { expect, test } from 'vitest'
import { PollSchedule, type TaskAccount } from '../../../../server/relay/tasks/poll-schedule.ts'

const MINUTE = 60_000
const account = (channelId: number): TaskAccount => ({ channelId, keyDigest: '' })

function createSchedule() {
  const clock = { now: 1_800_000_000_000 }
  const messages: string[] = []
  const logger = pino({ base: null, timestamp: false }, { write: (line: string) => void messages.push(line) })
  const schedule = new PollSchedule(() => clock.now, logger)
  const round = async (ids: number[], work: (account: TaskAccount) => void) => {
    const polled: number[] = []
    await schedule.runRound(ids.map(account), async (one) => {
      polled.push(one.channelId)
      work(one)
    })
    return polled
  }
  return { clock, messages, schedule, round }
}

test('failing accounts are polled less and less, others each round; only a failure and a recovery are logged', async () => {
  const { clock, messages, schedule, round } = createSchedule()
  const pollsByTask = new Map([1, 2].map((id) => [id, [] as number[]]))
  const poll = (isFailing: boolean) => (one: TaskAccount) =>
    isFailing && one.channelId === 1 ? schedule.recordFailure(one, 'ECONNREFUSED') : schedule.recordSuccess(one)
  for (let at = 0; at < 80; at++) {
    for (const id of await round([1, 2], poll(true))) pollsByTask.get(id)?.push(at)
    clock.now += 15_000
  }
  expect(pollsByTask.get(1)).toEqual([0, 1, 3, 7, 15, 31, 51, 71])
  expect(pollsByTask.get(2)).toHaveLength(80)
  expect(messages.map((line) => JSON.parse(line))).toEqual([
    { level: 40, channel: 1, reason: 'ECONNREFUSED', msg: 'task polling failed' },
  ])
  clock.now += 5 * MINUTE
  await round([1, 2], poll(false))
  expect(messages).toHaveLength(2)
  expect(messages[1]).toContain('task polling recovered')
})

test('a round starts no polls after ten seconds; accounts that it skips are first in the next round', async () => {
  const { clock, schedule, round } = createSchedule()
  const ids = Array.from({ length: 40 }, (_, at) => at)
  const slow = (one: TaskAccount) => {
    clock.now += 4000
    schedule.recordSuccess(one)
  }
  expect(await round(ids, slow)).toEqual([0, 1, 2])
  expect(await round(ids, slow)).toEqual([3, 4, 5])
})

test('polledSince restarts after a long time without rounds, but not after a long round', async () => {
  const { clock, schedule, round } = createSchedule()
  await round([1], () => {
    clock.now += 10 * MINUTE
  })
  const { polledSince } = schedule
  expect(polledSince).toBe(1_800_000_000_000)
  clock.now += 4 * MINUTE
  await round([1], () => {})
  expect(schedule.polledSince).toBe(polledSince)
  clock.now += 6 * MINUTE
  await round([1], () => {})
  expect(schedule.polledSince).toBe(clock.now)
})
