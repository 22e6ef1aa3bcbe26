import { setTimeout as sleep } from 'node:timers/promises'

/** One kind of fault, for targets of one sort: a process with its connection, or a whole database. */
export interface Fault<Target> {
  readonly name: string
  /** How often it is drawn, compared with the others. */
  readonly weight: number
  /** How long it lasts, in seconds; it is drawn between both. */
  readonly seconds: readonly [min: number, max: number]
  /** Begins, waits by `time.pause`, and ends whatever it began. */
  run(target: Target, time: FaultTime): Promise<void>
}

export interface FaultTime {
  readonly ms: number
  readonly random: () => number
  /** Waits for `ms`, or until all faults have to end. */
  pause(ms: number): Promise<void>
}

/** The sequence of faults of a run, for its report. */
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

/** Inflicts one fault after the other on a target until `signal`. Kinds, durations and pauses depend on `random` alone. */
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
    /** No fault lasts longer. */
    secondsMax: number
    /** The pause before each fault. */
    gapSeconds: readonly [min: number, max: number]
    /** Whether each fault comes once before any comes again: a short run meets most of them. */
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
