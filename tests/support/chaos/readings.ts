import { existsSync, readdirSync } from 'node:fs'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

/** The process's open descriptors (undefined if the system does not report them), and heap megabytes after garbage collection. */
export interface Reading {
  readonly descriptors: number | undefined
  readonly heapMb: number
  readonly rssMb: number
}

const DESCRIPTORS = '/proc/self/fd'

export function readProcess(): Reading {
  collect()
  const { heapUsed, external, rss } = process.memoryUsage()
  return {
    descriptors: existsSync(DESCRIPTORS) ? readdirSync(DESCRIPTORS).length : undefined,
    heapMb: (heapUsed + external) / 1e6,
    rssMb: rss / 1e6,
  }
}

/** Garbage must not count as growth. */
function collect(): void {
  setFlagsFromString('--expose-gc')
  runInNewContext('gc')()
}
