import type { Actor } from '../core/actor.ts'
import type { SettingName } from '../core/config.ts'
import type { Page } from '../core/input.ts'
import type { LocalToolkit } from '../core/toolkit.ts'
import type { Backing, Opened } from './backing.ts'
import { type Column, columnName } from './column.ts'
import { CommandError, EXIT, failureOf, usageError } from './errors.ts'
import type { Format } from './format.ts'
import { chosenText, jsonText } from './json.ts'
import { enriched, renderTemplate, runJq, selectFields } from './json-view.ts'
import { databaseOnly } from './local/only.ts'
import { harmless, printable } from './printable.ts'
import { createProgress, type Progress } from './progress.ts'
import type { Prompts } from './prompts.ts'
import type { Client, Server } from './remote/client.ts'
import type { Settings } from './settings.ts'
import type { Environment, Input, Output, Surroundings } from './surroundings.ts'
import type { Texts } from './texts.ts'
import type { CommandToolkit, Display } from './toolkit.ts'

/** What a command has to do with the world: streams, questions, settings and the gateway it is for. */
export interface Cli extends Texts {
  readonly stdin: Input
  readonly stdout: Output
  readonly stderr: Output
  readonly env: Environment
  /** Where relative paths start. */
  readonly folder: string
  /** Whether the data is for a program. */
  readonly json: boolean
  /** Whether there is somebody to ask. */
  readonly interactive: boolean
  /** Set to end with another code than 0 although nothing was thrown. */
  exitCode: number
  /** Lines for people below an error: how the command is used. */
  hint?: string
  /** Whether calls of a server wait when it counts too many. A screen goes on meanwhile. */
  isPatient: boolean
  /** Milliseconds that the command may still wait for a server; undefined: as long as it takes. */
  remainingMs(): number | undefined
  /** The settings in force; `flags` are those of the command itself. */
  settings(flags?: Partial<Record<SettingName, string | undefined>>): Promise<Settings>
  /** Which gateway the command line means, without opening it. `visitor`: for what anybody may ask, without signing in. */
  backing(options?: { visitor?: boolean }): Promise<Backing>
  /** The gateway, and who asks it: on this machine the root user. Closed when the command has ended. */
  open(): Promise<{ toolkit: CommandToolkit; actor: Actor }>
  /** The same, for what only a database on this machine can do. Throws a usage error when a server is meant. */
  openLocal(): Promise<{ toolkit: LocalToolkit; actor: Actor }>
  /** What a server is called by; undefined where the database is on this machine. */
  openRemote(): Promise<Client | undefined>
  /** A server by its address, without a profile. */
  clientOf(server: Server): Promise<Client>
  /** Asks the gateway once. Whoever writes asks for it before: a write that is done must not fail for want of it. */
  format(): Promise<Format>
  /** What is read after a write; undefined when that fails, which is said: the write is done all the same. */
  readBack<T>(read: () => T | Promise<T>): Promise<T | undefined>
  /** Whether colour is wanted on stdout. */
  color(): Promise<boolean>
  /** A list: a table, or with --json the whole answer as one document. `empty` is a hint for people. */
  print<T>(answer: Page<T> | readonly T[], view: { columns: readonly Column<T>[]; empty: string }): Promise<void>
  /** One record: its fields line by line, or one JSON document. */
  show<T>(record: T, view: { columns: readonly Column<T>[] }): Promise<void>
  /** What was done: a sentence for people on stderr, the thing itself for programs. */
  report(done: string, data: unknown): void
  /** How far long work has come; end it, whatever happens. */
  progress(work: { title: string; total: number }): Progress
  /**
   * Aborted by Ctrl-C, and by the signals of whoever stops a job or closes the terminal. Whoever asks for it promises to end soon
   * after, with nothing half done, and to throw INTERRUPTED with a message that says what was done. Without it they end the process.
   */
  interruption(): AbortSignal
  /** Data: a line on stdout. */
  write(line: string): void
  writeJson(data: unknown): void
  /** Resolves when all data is written; `--jq` takes a moment. Throws what filtering throws. */
  written(): Promise<void>
  /** Anything else: a line on stderr. */
  note(line: string): void
  /** Throws a usage error unless there is somebody to ask. */
  prompts(): Promise<Prompts>
  /** Lets a destructive act pass, or throws. */
  confirm(question: string, options: { yes: boolean | undefined }): Promise<void>
  /** All of stdin, without the line break at its end. */
  readInput(): Promise<string>
  /** The text of stdin as it comes. */
  streamInput(): AsyncIterable<string>
  close(): Promise<void>
}

export interface GlobalFlags {
  json?: boolean
  database?: string
  server?: string
  profile?: string
  config?: string
  color?: boolean
  /** False: no call waits when a server counts too many. */
  wait?: boolean
  /** Only these fields of JSON. */
  fields?: string
  /** A program for the JSON. */
  jq?: string
  /** A line for each record of the JSON. */
  template?: string
  /** Lists without pages as `{items, total, page, page_size}`, too. */
  envelope?: boolean
  /** Seconds that a command may wait for a server in all; absent: no limit of its own. */
  timeout?: number
  language?: string
}

const STOPS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const
const DISPLAY_DEFAULT = { quotaPerUnit: 500_000, inCurrency: true }

export function createCli({
  surroundings: { stdin, stdout, stderr, env, folder },
  texts,
  flags,
}: {
  surroundings: Surroundings
  texts: Texts
  flags: () => GlobalFlags
}): Cli {
  const startedAt = performance.now()
  let opening: Promise<Opened> | undefined
  let choosing: Promise<Backing> | undefined
  let interrupted: AbortController | undefined
  let filtering: Promise<void> = Promise.resolve()
  let displaying: Promise<Display> | undefined

  async function open(): Promise<Opened> {
    const backing = await cli.backing()
    return backing.kind === 'remote'
      ? (await import('./remote/open.ts')).openRemote({ cli, backing })
      : (await import('./local/open.ts')).openLocal({ cli })
  }
  const opened = () => {
    opening ??= open()
    return opening
  }
  const interrupt = () => interrupted?.abort()

  const cli: Cli = {
    ...texts,
    stdin,
    stdout,
    stderr,
    env,
    folder,
    get json() {
      const { json, fields, jq, template, envelope } = flags()
      return json === true || envelope === true || [fields, jq, template].some((view) => view !== undefined)
    },
    interactive: stdin.isTTY === true && stderr.isTTY === true,
    exitCode: EXIT.ok,
    isPatient: true,

    remainingMs() {
      const { timeout } = flags()
      return timeout === undefined ? undefined : Math.max(0, startedAt + timeout * 1000 - performance.now())
    },

    async settings(own = {}) {
      const { readSettings } = await import('./settings.ts')
      const { database, config } = flags()
      return readSettings({ flags: { DATABASE_URL: database, ...own }, file: config }, { env, folder })
    },

    backing({ visitor = false } = {}) {
      const choose = () =>
        import('./backing.ts').then(({ chooseBacking }) => chooseBacking(flags(), { env, texts, visitor }))
      if (visitor) return choose()
      choosing ??= choose()
      return choosing
    },

    open: opened,

    async openLocal() {
      const backing = await cli.backing()
      if (backing.kind === 'remote') {
        throw databaseOnly(cli, backing.server.url)
      }
      const { local, actor } = await opened()
      if (!local) throw new Error('a local gateway has a database')
      return { toolkit: local, actor }
    },

    async openRemote() {
      return (await cli.backing()).kind === 'remote' ? (await opened()).client : undefined
    },

    async clientOf(server) {
      const { createClient } = await import('./remote/client.ts')
      const { waitTurn } = await import('./patience.ts')
      const isPatient = flags().wait !== false && cli.isPatient
      return createClient(server, {
        texts,
        env,
        remainingMs: cli.remainingMs,
        waitTurn: isPatient ? (seconds, signal = interrupted?.signal) => waitTurn(cli, seconds, signal) : undefined,
      })
    },

    async color() {
      const { colorWanted } = await import('./settings.ts')
      return stdout.isTTY === true && flags().color !== false && colorWanted(env)
    },

    async format() {
      const [{ createFormat }, { default: colors }, colored] = await Promise.all([
        import('./format.ts'),
        import('picocolors'),
        cli.color(),
      ])
      const terminal = stdout.isTTY === true
      const color = colors.createColors(colored)
      displaying ??= opening?.then(({ toolkit }) => toolkit.display())
      const display = (await displaying) ?? DISPLAY_DEFAULT
      return createFormat({ terminal, color, ...display, text: texts.text })
    },

    async readBack(read) {
      try {
        return await read()
      } catch (error) {
        const { message } = failureOf(error, texts.language, texts.translated)
        cli.note(cli.say`It is done, but reading it again failed: ${message}`)
        return undefined
      }
    },

    async print(answer, { columns, empty }) {
      if (cli.json) return cli.writeJson(flags().envelope ? inEnvelope(answer) : answer)
      const rows = 'items' in answer ? answer.items : answer
      if (rows.length === 0) return cli.note(empty)
      const { renderTable } = await import('./table.ts')
      // A terminal that does not know its width says 0.
      const width = (stdout.isTTY && stdout.columns) || undefined
      const { text, hidden } = renderTable(rows, columns, { format: await cli.format(), width })
      cli.write(text)
      if (hidden.length > 0) {
        const names = hidden.map(({ title }) => columnName(cli.text(title))).join(', ')
        cli.note(cli.say`Hidden: ${names}; see them with --columns, or in a pipe.`)
      }
      if ('items' in answer) noteMore(answer)
    },

    async show(record, { columns }) {
      if (cli.json) return cli.writeJson(record)
      const { renderRecord } = await import('./table.ts')
      cli.write(renderRecord(record, columns, await cli.format()))
    },

    report(done, data) {
      if (cli.json) cli.writeJson(data)
      else cli.note(done)
    },

    progress: (work) => createProgress(stderr, work),

    interruption() {
      if (!interrupted) {
        interrupted = new AbortController()
        for (const signal of STOPS) process.on(signal, interrupt)
      }
      return interrupted.signal
    },

    write: (line) => void stdout.write(`${stdout.isTTY ? harmless(line) : line}\n`),
    writeJson(data) {
      const { fields, jq, template } = flags()
      const view = enriched(data)
      if (fields === undefined && jq === undefined && template === undefined) return cli.write(jsonText(view, 2))
      const chosen = fields === undefined ? view : selectFields(texts, view, fields)
      if (template !== undefined) return write(renderTemplate(texts, chosen, template))
      if (jq === undefined) return cli.write(chosenText(chosen, 2))
      filtering = filtering.then(async () => write(await runJq(texts, JSON.parse(jsonText(chosen)), jq)))
      // Awaited by `written`.
      filtering.catch(() => {})
    },

    written: () => filtering,
    note: (line) => void stderr.write(`${printable(line)}\n`),

    async prompts() {
      if (!cli.interactive) throw usageError(cli.say`there is no terminal to ask on: give every answer as a flag`)
      const { terminalPrompts } = await import('./prompts.ts')
      return terminalPrompts({ input: stdin, output: stderr })
    },

    async confirm(question, { yes }) {
      if (yes) return
      if (!cli.interactive) throw usageError(cli.say`there is no terminal to ask on: confirm with --yes`)
      const prompts = await cli.prompts()
      if (!(await prompts.confirm({ message: printable(question), default: false }))) {
        throw new CommandError('DECLINED', cli.say`nothing was changed`)
      }
    },

    async readInput() {
      const chunks: Buffer[] = []
      for await (const chunk of stdin) chunks.push(Buffer.from(chunk))
      return Buffer.concat(chunks)
        .toString('utf8')
        .replace(/\r?\n$/, '')
    },

    async *streamInput() {
      const decoder = new TextDecoder()
      for await (const chunk of stdin) yield decoder.decode(Buffer.from(chunk), { stream: true })
      yield decoder.decode()
    },

    async close() {
      for (const signal of STOPS) process.off(signal, interrupt)
      // What failed to open has been reported, and has closed itself.
      const opened = await opening?.catch(() => undefined)
      await opened?.toolkit.close()
    },
  }

  function write(text: string): void {
    if (text !== '') cli.write(text)
  }

  function inEnvelope<T>(answer: Page<T> | readonly T[]): Page<T> {
    if ('items' in answer) return answer
    const { length } = answer
    return { items: [...answer], total: length, page: 1, page_size: length }
  }

  function noteMore({ items, total, page, page_size }: Page<unknown>): void {
    if (total <= items.length) return
    const pages = Math.ceil(total / page_size)
    if (page < pages) cli.note(cli.say`Page ${page} of ${pages}, ${total} in all. Next: --page ${page + 1}`)
    else cli.note(cli.say`Page ${page} of ${pages}, ${total} in all.`)
  }

  return cli
}
