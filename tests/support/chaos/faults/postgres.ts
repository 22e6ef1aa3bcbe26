import type { FaultyTcp } from '../../faulty-tcp.ts'
import type { Place } from './processes.ts'
import type { Fault, FaultTime } from './schedule.ts'

/** A gateway and its connection to PostgreSQL. */
export interface ConnectedPlace extends Place {
  readonly proxy: FaultyTcp
}

const has = (pattern: RegExp) => (statements: readonly string[]) => statements.some((text) => pattern.test(text))
const WRITES = {
  reserve: has(/insert into "holds"|tollgate-reserve/),
  'give-back': has(/delete from "holds"|tollgate-return/),
  charge: has(/insert into "logs"|tollgate-settle/),
  entry: has(/insert into "ledger_entries"/),
  any: () => true,
} as const
const CUT_BYTES_MAX = 6000
const COMMIT_WAIT_MS = 5_000
/** Longer than a process tries to query the outcome of a COMMIT. */
const AWAY_MS = 8_000

function loseCommit(what: keyof typeof WRITES, before: boolean): Fault<ConnectedPlace> {
  return {
    name: `the ${before ? 'COMMIT' : 'reply to the COMMIT'} of ${what === 'any' ? 'a write' : what} is lost`,
    weight: 1,
    seconds: [1, 3],
    async run({ proxy }, { ms, pause }) {
      void proxy.loseCommit({ before, isChosen: WRITES[what] })
      await pause(ms)
    },
  }
}

/**
 * At first, the process cannot query the outcome of its COMMIT. With `isStopped`, it cannot until others may have ended
 * its epoch.
 */
function loseCommitAndDatabase(what: keyof typeof WRITES, { isStopped = false } = {}): Fault<ConnectedPlace> {
  return {
    name: `the reply to the COMMIT of ${what} is lost, and then the database${isStopped ? ' and the process stops' : ''}`,
    weight: isStopped ? 0.5 : 0.7,
    seconds: isStopped ? [30, 42] : [6, 20],
    async run({ pid, proxy }, { ms, pause }) {
      const isLost = await Promise.race([
        proxy.loseCommit({ isChosen: WRITES[what] }).then(() => true),
        pause(COMMIT_WAIT_MS).then(() => false),
      ])
      if (!isLost) return
      proxy.mode = 'refuse'
      if (isStopped) process.kill(pid, 'SIGSTOP')
      await pause(ms)
      if (isStopped) {
        process.kill(pid, 'SIGCONT')
        await pause(AWAY_MS)
      }
      proxy.mode = 'pass'
    },
  }
}

const silence = (mode: 'refuse' | 'black-hole') => ({
  async run({ proxy }: ConnectedPlace, { ms, pause }: FaultTime) {
    proxy.mode = mode
    await pause(ms)
    // Connections cut off for long are dead: no delayed data arrives later.
    if (mode === 'refuse') proxy.cutAll()
    proxy.mode = 'pass'
  },
})

/** Ends a process while the process cannot reach its database. Restarts the process when the database is reachable. */
const endedWhileAway = (signal: 'SIGKILL' | 'SIGTERM') => ({
  async run(place: ConnectedPlace, { ms, random, pause }: FaultTime) {
    place.proxy.mode = random() < 0.5 ? 'refuse' : 'black-hole'
    await pause(ms * 0.5)
    const ended = place.end(signal)
    await pause(ms * 0.5)
    place.proxy.mode = 'pass'
    await ended
    await place.start()
  },
})

const endAndStart = (signal: 'SIGKILL' | 'SIGTERM') => ({
  async run(place: ConnectedPlace, { ms, pause }: FaultTime) {
    await place.end(signal)
    await pause(ms)
    await place.start()
  },
})

/** Faults of one process over PostgreSQL. */
export const PLACE_FAULTS: readonly Fault<ConnectedPlace>[] = [
  ...(['reserve', 'give-back', 'charge', 'entry', 'any'] as const).map((what) => loseCommit(what, false)),
  loseCommit('charge', true),
  loseCommitAndDatabase('reserve'),
  loseCommitAndDatabase('give-back'),
  loseCommitAndDatabase('charge'),
  loseCommitAndDatabase('charge', { isStopped: true }),
  {
    name: 'all connections are dropped',
    weight: 2,
    seconds: [0, 0],
    run: async ({ proxy }) => proxy.cutAll(),
  },
  {
    name: 'the next connection breaks in the middle of a reply',
    weight: 2,
    seconds: [0.2, 2],
    async run({ proxy }, { ms, random, pause }) {
      proxy.cutAfter(100 + Math.floor(random() * CUT_BYTES_MAX))
      proxy.cutAll()
      await pause(ms)
    },
  },
  { name: 'the network is silent', weight: 2, seconds: [0.5, 12], ...silence('black-hole') },
  { name: 'the network is silent for long', weight: 0.5, seconds: [12, 45], ...silence('black-hole') },
  { name: 'connections are refused', weight: 1.5, seconds: [0.5, 12], ...silence('refuse') },
  {
    name: 'stopped (SIGSTOP)',
    weight: 2,
    seconds: [1, 8],
    run: stopped,
  },
  { name: 'stopped for long (SIGSTOP)', weight: 0.7, seconds: [28, 50], run: stopped },
  { name: 'killed (SIGKILL)', weight: 1.5, seconds: [0, 2], ...endAndStart('SIGKILL') },
  { name: 'restarted (SIGTERM)', weight: 1.5, seconds: [0, 1], ...endAndStart('SIGTERM') },
  { name: 'killed while its database is away', weight: 1, seconds: [2, 15], ...endedWhileAway('SIGKILL') },
  { name: 'restarted while its database is away', weight: 1, seconds: [2, 15], ...endedWhileAway('SIGTERM') },
]

async function stopped({ pid }: ConnectedPlace, { ms, pause }: FaultTime): Promise<void> {
  process.kill(pid, 'SIGSTOP')
  await pause(ms)
  process.kill(pid, 'SIGCONT')
}

/** Faults of the database of all processes. */
export const SHARED_FAULTS: readonly Fault<readonly ConnectedPlace[]>[] = [
  {
    name: 'outage',
    weight: 1,
    seconds: [5, 40],
    async run(places, { ms, random, pause }) {
      const mode = random() < 0.6 ? 'refuse' : 'black-hole'
      for (const { proxy } of places) proxy.mode = mode
      await pause(ms)
      for (const { proxy } of places) proxy.mode = 'pass'
    },
  },
]
