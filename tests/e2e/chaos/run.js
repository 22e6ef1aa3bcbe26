import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'

const HELP = `Runs the gateway over what fails, and compares what clients saw with the ledger.

Usage: npm run chaos -- [options]          (after npm run build)

  without options     20 000 relays over upstreams that fail
  --faults            processes that are killed, stopped and cut off from their database at random
  --seed <n>          of the first run with --faults (default: the time)
  --seeds <n>         so many runs in a row, each with the next seed (default 1); it stops at the first that fails
  --minutes <n>       how long faults happen in each run, on each database (default 10)
  --database <name>   postgres or sqlite alone (default: one after the other)
  --help              this text

Exit code 1 if a run failed: its seed and its sequence of faults are in the output.

Example:
  npm run chaos -- --faults --seed 7 --minutes 2`

const ROOT = fileURLToPath(new URL('../../..', import.meta.url))
const VITEST = fileURLToPath(new URL('../../../node_modules/vitest/vitest.mjs', import.meta.url))

process.exitCode = await main(process.argv.slice(2))

/** @param {string[]} args */
async function main(args) {
  const options = readOptions(args)
  if (typeof options === 'number') return options
  if (!options.faults) return runTest('tests/e2e/chaos.test.ts', { CHAOS_RELAYS: '20000' })
  const { seed, seeds, minutes, database } = options
  for (let at = 0; at < seeds; at++) {
    console.error(`seed ${seed + at} (${at + 1} of ${seeds}), ${minutes} minutes`)
    const code = await runTest('tests/e2e/faults/random.test.ts', {
      CHAOS_SEED: String(seed + at),
      CHAOS_MINUTES: String(minutes),
      ...(database && { CHAOS_DATABASE: database }),
    })
    if (code !== 0) {
      console.error(`seed ${seed + at} failed: npm run chaos -- --faults --seed ${seed + at} --minutes ${minutes}`)
      return code
    }
  }
  return 0
}

/** Returns the exit code. @param {string} file @param {Record<string, string>} environment */
async function runTest(file, environment) {
  const child = spawn(process.execPath, [VITEST, 'run', '--config', 'tests/vitest.config.ts', file], {
    cwd: ROOT,
    env: { ...process.env, ...environment },
    stdio: 'inherit',
  })
  const [code] = await once(child, 'exit')
  return code ?? 1
}

/** What to do, or the exit code when there is nothing to do. @param {string[]} args */
function readOptions(args) {
  try {
    const { values } = parseArgs({
      args,
      options: {
        faults: { type: 'boolean', default: false },
        seed: { type: 'string' },
        seeds: { type: 'string' },
        minutes: { type: 'string' },
        database: { type: 'string' },
        help: { type: 'boolean', default: false },
      },
    })
    if (values.help) {
      console.log(HELP)
      return 0
    }
    const { faults, database, seed, seeds, minutes } = values
    if (!faults && [database, seed, seeds, minutes].some((value) => value !== undefined)) {
      throw new Error('--seed, --seeds, --minutes and --database need --faults')
    }
    if (database !== undefined && database !== 'postgres' && database !== 'sqlite') {
      throw new Error(`--database ${database}: expected postgres or sqlite`)
    }
    return {
      faults,
      database,
      seed: number('seed', seed, { or: Math.floor(Date.now() / 1000), whole: true }),
      seeds: number('seeds', seeds, { or: 1, whole: true }),
      minutes: number('minutes', minutes, { or: 10 }),
    }
  } catch (error) {
    console.error(`${error instanceof Error ? error.message : error}\n\n${HELP}`)
    return 2
  }
}

/** @param {string} name @param {string | undefined} text @param {{ or: number, whole?: boolean }} options */
function number(name, text, { or, whole = false }) {
  if (text === undefined) return or
  const value = Number(text)
  if (!(value > 0) || (whole && !Number.isSafeInteger(value))) throw new Error(`--${name} ${text}: expected a number`)
  return value
}
