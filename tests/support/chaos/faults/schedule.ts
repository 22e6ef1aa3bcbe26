import { setTimeout as sleep } from 'node:timers/promises'

/** One kind of fault, for one kind of target: a process with its connection, or a whole database. */
export interface Fault<Target> {
  readonly name: string
  /** Relative frequency. */
  readonly weight: number
  /** Range of the duration in seconds. */
  readonly seconds: readonly [min: number, max: number]
  /** Starts the fault, waits with `time.pause`, and ends the fault. */
  run(target: Target, time: FaultTime): Promise<void>
}

export interface FaultTime {
  readonly ms: number
  readonly random: () => number
  /** Waits for `ms`, or until all faults must end. */
  pause(ms: number): Promise<void>
}

/** The log of a run's faults, for its report. */
export interface FaultLog {
  note(what: string): void
  lines(): string[]
}

export function createFaultLog(): FaultLog {
  const startedAt = performance.now()
  const lines: string[] = []
  return {
    note: (what) => void lines.push(`${((performance.now() - startedAt) / 1000).toFixed(1).padStart(6)} s  ${what}`),
    lines: () => lines,
  }
}

/** Applies faults to a target one by one until `signal`. Kinds, durations and pauses depend only on `random`. */
export async function inflict<Target>(
  target: Target,
  {
    name,
    faults,
    random,
    signal,
    log,
    secondsMax,
    gapSeconds: [gapMin, gapMax],
    isEachOnce,
  }: {
    name: string
    faults: readonly Fault<Target>[]
    random: () => number
    signal: AbortSignal
    log: FaultLog
    /** Maximum duration of a fault. */
    secondsMax: number
    /** The pause before each fault. */
    gapSeconds: readonly [min: number, max: number]
    /** Whether each fault occurs once before any repeats, so that short runs cover most of them. */
    isEachOnce: boolean
  },
): Promise<void> {
  const pause = (ms: number) => sleep(ms, undefined, { signal }).catch(() => {})
  let left = [...faults]
  for (;;) {
    await pause((gapMin + random() * (gapMax - gapMin)) * 1000)
    const fault = draw(left, random)
    if (isEachOnce) left = left.length > 1 ? left.filter((other) => other !== fault) : [...faults]
    const [min, max] = fault.seconds
    const ms = Math.min(secondsMax, min + random() * (max - min)) * 1000
    if (signal.aborted) return
    log.note(`${name}: ${fault.name}${ms > 0 ? ` for ${(ms / 1000).toFixed(1)} s` : ''}`)
    await fault.run(target, { ms, random, pause })
  }
}

function draw<Target>(faults: readonly Fault<Target>[], random: () => number): Fault<Target> {
  let at = random() * faults.reduce((sum, { weight }) => sum + weight, 0)
  for (const fault of faults) {
    at -= fault.weight
    if (at < 0) return fault
  }
  throw new Error('There are no faults to draw from')
}
