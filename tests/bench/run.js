import { mkdtempSync, rmSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { availableParallelism, cpus, tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { installTestPackages } from '../install.js'
import { measureBodies } from './measure/bodies.js'
import { measureChat } from './measure/chat.js'
import { measureCommandLine } from './measure/command-line.js'
import { measureConsole } from './measure/console.js'
import { measureLimits } from './measure/limits.js'
import { measureLogs } from './measure/logs.js'
import { measureLong } from './measure/long.js'
import { measureMemory } from './measure/memory.js'
import { measurePostgres } from './measure/postgres.js'
import { measureRouting } from './measure/routing.js'
import { measureRunning, UPSTREAM_PORT } from './measure/running.js'
import { measureScale } from './measure/scale.js'
import { measureSensitive } from './measure/sensitive.js'
import { measureSoak } from './measure/soak.js'
import { measureStream, measureWholeStream } from './measure/stream.js'
import { measureTranslated } from './measure/translated.js'
import { measureWorkers } from './measure/workers.js'
import { createProcesses } from './processes.js'
import { table } from './report.js'

/** @typedef {import('./measure/sides.js').Bench} Bench */

const HELP = `Measures the gateway beside a yardstick, a bare pass-through on the same machine in the same minutes.

Usage: npm run bench -- [options]          (after npm run build)

  --only <names>      of chat,stream,whole,translated,memory,long,cli,workers,routing,sensitive,limits,bodies,console (all of them by default)
  --quick             short rounds, to see that everything runs; the figures mean little
  --logs              only the log: first page, sums and searches at 1 000 000 rows
  --scale             only the log at 2 000 000 rows of 100 000 users, and relays while a million are cleared; on PostgreSQL
                      too with BENCH_POSTGRES_URL, the address of an empty database, or only there with --database
    --rows <n>        instead of 2 000 000; 50 million need 40 GB and an hour
  --database <url>    only chat with the accounts on PostgreSQL, beside SQLite; the user of the URL must be allowed to create databases
  --url <url>         any gateway that is running, beside the pass-through. It needs a channel of type OpenAI that leads to
                      http://127.0.0.1:18099 with the model sim-bench, and a price for it. Together with:
    --key <key>         an API key of that gateway
    --pid <n>           its process, for CPU and memory
    --balance-key <key> a key whose balance pays for 50 requests: 500 are sent at once
    --kill              kills the process after 500 replies, waits until you have started it again, and reads its accounts
    --upstream-port <n> instead of 18099
  --soak [minutes]    only a steady load, 10 minutes by default: is memory flat?
  --output <file>     where the figures go as JSON (default ./bench-results.json; keep it out of git)
  --bin <file>        the launcher to measure (default bin/tollgate.js here): compare two builds
  --help              this text

Ratios are gateway / yardstick, the median over pairs of rounds. Requests per second depend on what else runs; the CPU of
a request is the steadier figure. Nothing passes or fails: it ends with 0 unless something could not be measured.

Example:
  npm run bench -- --quick --only chat,stream`

/** @type {Record<string, (bench: Bench) => Promise<void>>} */
const SECTIONS = {
  chat: measureChat,
  stream: measureStream,
  whole: measureWholeStream,
  translated: measureTranslated,
  memory: measureMemory,
  long: measureLong,
  cli: measureCommandLine,
  workers: measureWorkers,
  routing: measureRouting,
  sensitive: measureSensitive,
  limits: measureLimits,
  bodies: measureBodies,
  console: measureConsole,
}
const FULL = { rounds: 3, roundSeconds: 6, warmUpSeconds: 3, longSeconds: 60 }
const QUICK = { rounds: 2, roundSeconds: 2, warmUpSeconds: 1, longSeconds: 10 }
const SOAK_MINUTES = 10
const LIMIT_MINUTES = 20
const SCALE_MINUTES = 40

process.exitCode = await main(process.argv.slice(2))

/** @param {string[]} args */
async function main(args) {
  const chosen = readOptions(args)
  if (typeof chosen === 'number') return chosen
  const { sections, rounds, output, bin, limitMinutes } = chosen
  installTestPackages()

  const processes = createProcesses()
  const folder = mkdtempSync(join(tmpdir(), 'tollgate-bench-'))
  const cleanUp = () => rmSync(folder, { recursive: true, force: true, maxRetries: 3 })
  /** @type {import('./report.js').Row[]} */
  const rows = []
  /** @type {string[]} */
  const notes = []
  /** @type {Set<string>} */
  const problems = new Set()
  /** @type {Record<string, unknown>} */
  const figures = {}
  /** @type {Bench} */
  const bench = {
    processes,
    bin,
    folder,
    ...rounds,
    row: (row) => rows.push(row),
    note: (text) => notes.push(text),
    problem: (text) => problems.add(text),
    keep: (name, value) => {
      figures[name] = value
    },
    say: (text) => console.error(`  ${text}`),
  }

  const end = (/** @type {string} */ why) => {
    console.error(`\n${why}`)
    processes.killAll()
    cleanUp()
    process.exit(1)
  }
  process.once('SIGINT', () => end('Interrupted.'))
  process.once('SIGTERM', () => end('Stopped.'))
  const limit = setTimeout(() => end(`Not done in ${limitMinutes} minutes.`), limitMinutes * 60_000)
  try {
    for (const [name, measure] of sections) {
      console.error(name)
      try {
        await measure(bench)
      } catch (error) {
        problems.add(`${name}: ${error instanceof Error ? error.message : error}`)
      } finally {
        await processes.stopAll()
      }
    }
  } finally {
    clearTimeout(limit)
    cleanUp()
  }

  const machine = { node: process.version, cpu: cpus()[0]?.model, cores: availableParallelism() }
  const report = { at: new Date().toISOString(), machine, rounds, rows, figures, notes, problems: [...problems] }
  await writeFile(output, `${JSON.stringify(report, null, 2)}\n`)
  console.log(`\n${table(rows)}\n\nnode ${machine.node}, ${machine.cores} × ${machine.cpu}; figures in ${output}`)
  for (const note of notes) console.log(`note: ${note}`)
  for (const problem of problems) console.error(`not measured: ${problem}`)
  return problems.size ? 1 : 0
}

/** Returns the sections to run, or an exit code if there is nothing to run. @param {string[]} args */
function readOptions(args) {
  try {
    const { values, positionals } = parseArgs({
      args,
      allowPositionals: true,
      options: {
        only: { type: 'string' },
        quick: { type: 'boolean', default: false },
        logs: { type: 'boolean', default: false },
        scale: { type: 'boolean', default: false },
        rows: { type: 'string' },
        soak: { type: 'boolean', default: false },
        database: { type: 'string' },
        url: { type: 'string' },
        key: { type: 'string' },
        pid: { type: 'string' },
        'balance-key': { type: 'string' },
        kill: { type: 'boolean', default: false },
        'upstream-port': { type: 'string', default: String(UPSTREAM_PORT) },
        output: { type: 'string', default: 'bench-results.json' },
        bin: { type: 'string', default: fileURLToPath(new URL('../../bin/tollgate.js', import.meta.url)) },
        help: { type: 'boolean', default: false },
      },
    })
    if (values.help) {
      console.log(HELP)
      return 0
    }
    const minutes = values.soak && positionals[0] ? Number(positionals[0]) : SOAK_MINUTES
    if (positionals.length > (values.soak ? 1 : 0)) throw new Error(`Unknown argument ${positionals.at(-1)}`)
    if (!(minutes > 0 && minutes <= 24 * 60)) throw new Error(`--soak ${positionals[0]}: expected minutes`)
    return {
      sections: values.url === undefined ? pickSections(values, minutes) : [['running', runningOf(values)]],
      rounds: values.quick ? QUICK : FULL,
      output: resolve(values.output),
      bin: resolve(values.bin),
      limitMinutes:
        LIMIT_MINUTES +
        (values.soak ? minutes : 0) +
        (values.scale ? SCALE_MINUTES * Math.max(1, Number(values.rows ?? 0) / 10_000_000) : 0),
    }
  } catch (error) {
    console.error(`${error instanceof Error ? error.message : error}\n\n${HELP}`)
    return 2
  }
}

/** @param {{ url?: string | undefined, key?: string | undefined, pid?: string | undefined, kill: boolean, 'balance-key'?: string | undefined, 'upstream-port': string }} values @returns {(bench: Bench) => Promise<void>} */
function runningOf({ url = '', key, pid, kill, 'balance-key': balanceKey, 'upstream-port': upstreamPort }) {
  if (!URL.canParse(url)) throw new Error(`--url ${url}: expected an address such as http://127.0.0.1:3000`)
  if (!key) throw new Error('--url needs --key, an API key of that gateway')
  if (pid !== undefined && !/^[1-9]\d*$/.test(pid)) throw new Error(`--pid ${pid}: expected the id of a process`)
  if (kill && pid === undefined) throw new Error('--kill needs --pid')
  const port = Number(upstreamPort)
  if (!(Number.isInteger(port) && port > 0 && port < 65_536))
    throw new Error(`--upstream-port ${upstreamPort}: expected a port`)
  const running = { url, key, port, balanceKey, kill, pid: pid === undefined ? undefined : Number(pid) }
  return (bench) => measureRunning(bench, running)
}

/** @param {{ only?: string | undefined, logs: boolean, scale: boolean, rows?: string | undefined, soak: boolean, database?: string | undefined }} values @param {number} minutes @returns {[string, (bench: Bench) => Promise<void>][]} */
function pickSections({ only, logs, scale, rows, soak, database }, minutes) {
  if (rows !== undefined && !(scale && /^[1-9]\d{6,8}$/.test(rows)))
    throw new Error(`--rows ${rows}: expected a million or more, with --scale`)
  if (scale) return [['scale', (bench) => measureScale(bench, { database, ...(rows && { rows: Number(rows) }) })]]
  if (database) return [['postgres', (bench) => measurePostgres(bench, database)]]
  if (soak) return [['soak', (bench) => measureSoak(bench, minutes)]]
  if (logs) return [['logs', measureLogs]]
  const names = only?.split(',').map((name) => name.trim()) ?? Object.keys(SECTIONS)
  return names.map((name) => {
    const measure = SECTIONS[name]
    if (!measure) throw new Error(`--only ${name}: expected some of ${Object.keys(SECTIONS).join(',')}`)
    return [name, measure]
  })
}
