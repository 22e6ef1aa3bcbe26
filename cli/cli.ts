import type { Actor } from '../core/actor.ts'
import type { SettingName } from '../core/config.ts'
import type { Page } from '../core/input.ts'
import type { LocalToolkit } from '../core/toolkit.ts'
import { CommandError, EXIT, failureOf, usageError } from './errors.ts'
import type { Prompts } from './input/prompts.ts'
import type { CliIo, Environment, Input, OutputStream } from './io.ts'
import { localOnlyError } from './local/require-local.ts'
import { type Column, columnNameOf, titleOf } from './output/column.ts'
import type { Format } from './output/format.ts'
import { jsonText } from './output/json.ts'
import { enriched, renderTemplate, runJq, selectFields } from './output/json-view.ts'
import { createProgress, type Progress } from './output/progress.ts'
import { sanitizeName, stripControlChars } from './output/sanitize.ts'
import type { Client, Server } from './remote/client.ts'
import type { Settings } from './settings.ts'
import type { OpenedTarget, Target } from './target.ts'
import type { Texts } from './texts.ts'
import type { CommandToolkit, Display } from './toolkit.ts'

/** The environment of a command: streams, prompts, settings, and the gateway it targets. */
export interface Cli extends Texts {
  readonly stdin: Input
  readonly stdout: OutputStream
  readonly stderr: OutputStream
  readonly env: Environment
  /** Folder where relative paths start. */
  readonly folder: string
  /** Whether output is JSON. */
  readonly json: boolean
  /** Whether prompts are possible (stdin and stderr are TTYs). */
  readonly interactive: boolean
  /** Exit code of the process. Commands set this value to fail without an exception. */
  exitCode: number
  /** Exit code of usage errors: 2, or 1 for commands that exit with 2 to report a result. */
  usageExit: number
  /** Text to print below an error, such as the usage of the command. */
  hint?: string
  /** Whether calls wait when the server's rate limit rejects them. The terminal UI and `doctor` do not wait. */
  canWait: boolean
  /** Whether --no-wait is set. */
  readonly noWait: boolean
  /** Returns the remaining milliseconds for server calls; undefined means no limit. */
  remainingMs(): number | undefined
  /** Returns the effective settings. `flags` are settings from flags of the command itself. */
  settings(flags?: Partial<Record<SettingName, string | undefined>>): Promise<Settings>
  /** Resolves the target gateway without opening it. `anonymous`: the operation needs no sign-in. */
  target(options?: { anonymous?: boolean }): Promise<Target>
  /** Opens the gateway until `close`. The actor is the root user for the local database, else the signed-in user. */
  open(): Promise<{ toolkit: CommandToolkit; actor: Actor }>
  /** Like `open`, for operations that need the local database. Throws a usage error if the target is a server. */
  openLocal(): Promise<{ toolkit: LocalToolkit; actor: Actor }>
  /** Returns the client of the target server; undefined for the local database. */
  openRemote(): Promise<Client | undefined>
  /** Creates a client for a server that is given by its address, not by a profile. */
  clientOf(server: Server): Promise<Client>
  /** Returns the output format. Call this method before any change, because loading the display settings can fail. */
  format(): Promise<Format>
  /** Reads the result of a completed change. If this read fails, prints a note and returns undefined. */
  readBack<T>(read: () => T | Promise<T>): Promise<T | undefined>
  /** Returns whether to color stdout. */
  color(): Promise<boolean>
  /** Prints a list as a table, or with --json as one document. `empty` is the hint for an empty list. */
  print<T>(list: Page<T> | readonly T[], view: { columns: readonly Column<T>[]; empty: string }): Promise<void>
  /** Prints one record: a line for each field, or one JSON document. */
  show<T>(record: T, view: { columns: readonly Column<T>[] }): Promise<void>
  /** Reports a completed action: a sentence on stderr, or the data as JSON. */
  report(message: string, data: unknown): void
  /** Shows the progress of long work. `total` is undefined if unknown. The caller must end the progress. */
  progress(work: { title: string; total: number | undefined }): Progress
  /**
   * Returns a signal that SIGINT, SIGTERM and SIGHUP abort. Callers must then stop soon, complete or undo started
   * steps, and throw INTERRUPTED with a message about the completed steps. Without a call of this method, SIGINT,
   * SIGTERM and SIGHUP end the process.
   */
  interruption(): AbortSignal
  /** Writes a line of data to stdout. */
  write(line: string): void
  writeJson(data: unknown): void
  /** Waits until all data is written, because a jq program runs asynchronously. Throws the errors of the jq program. */
  written(): Promise<void>
  /** Writes a message to stderr. */
  note(line: string): void
  /** Returns the prompts. Throws a usage error without a terminal. `missing` names the flags to pass instead. */
  prompts(missing?: string): Promise<Prompts>
  /** Asks for confirmation; throws if declined. */
  confirm(question: string, options: { yes: boolean | undefined }): Promise<void>
  /** Reads all of stdin, without the final line break. */
  readInput(): Promise<string>
  /** Reads stdin in chunks. */
  streamInput(): AsyncIterable<string>
  /** Closes the gateway, if it was opened, and restores the default action of signals. */
  close(): Promise<void>
}

export interface GlobalFlags {
  json?: boolean
  database?: string
  server?: string
  profile?: string
  config?: string
  color?: boolean
  /** False: calls do not wait when the server's rate limit rejects them. */
  wait?: boolean
  /** Fields of the JSON to print. */
  fields?: string
  /** jq program for the JSON. */
  jq?: string
  /** Template, rendered once for each JSON record. */
  template?: string
  /** True: lists without pages are also printed as `{items, total, page, page_size}`. */
  envelope?: boolean
  /** Total seconds that a command may wait for a server; absent: no limit. */
  timeout?: number
  language?: string
}

const STOP_SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const
const DISPLAY_DEFAULT = { quotaPerUnit: 500_000, inCurrency: true }

export function createCli({
  io: { stdin, stdout, stderr, env, folder },
  texts,
  flags,
}: {
  io: CliIo
  texts: Texts
  flags: () => GlobalFlags
}): Cli {
  const startedAt = performance.now()
  let opening: Promise<OpenedTarget> | undefined
  let targetPromise: Promise<Target> | undefined
  let stopController: AbortController | undefined
  let jqOutput: Promise<void> = Promise.resolve()
  let displayPromise: Promise<Display> | undefined
  let shownProgress: Progress | undefined

  async function open(): Promise<OpenedTarget> {
    const target = await cli.target()
    return target.kind === 'remote'
      ? (await import('./remote/open.ts')).openRemote({ cli, target })
      : (await import('./local/open.ts')).openLocal({ cli })
  }
  const openOnce = () => {
    opening ??= open()
    return opening
  }
  const interrupt = () => stopController?.abort()

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
    usageExit: EXIT.usage,
    canWait: true,
    get noWait() {
      return flags().wait === false
    },

    remainingMs() {
      const { timeout } = flags()
      return timeout === undefined ? undefined : Math.max(0, startedAt + timeout * 1000 - performance.now())
    },

    async settings(commandFlags = {}) {
      const { readSettings } = await import('./settings.ts')
      const { database, config } = flags()
      return readSettings({ flags: { DATABASE_URL: database, ...commandFlags }, file: config }, { env, folder })
    },

    target({ anonymous = false } = {}) {
      const choose = () =>
        import('./target.ts').then(({ resolveTarget }) => resolveTarget(flags(), { env, texts, anonymous }))
      if (anonymous) return choose()
      targetPromise ??= choose()
      return targetPromise
    },

    open: openOnce,

    async openLocal() {
      const target = await cli.target()
      if (target.kind === 'remote') throw localOnlyError(cli, target.server.url)
      const { local, actor } = await openOnce()
      if (!local) throw new Error('a local gateway has a database')
      return { toolkit: local, actor }
    },

    async openRemote() {
      return (await cli.target()).kind === 'remote' ? (await openOnce()).client : undefined
    },

    async clientOf(server) {
      const { createClient } = await import('./remote/client.ts')
      const { waitForRetry } = await import('./run/retry.ts')
      return createClient(server, {
        texts,
        env,
        remainingMs: cli.remainingMs,
        waitForRetry: cli.canWait
          ? (seconds, signal = stopController?.signal) => waitForRetry(cli, seconds, signal)
          : undefined,
      })
    },

    async color() {
      const { isColorAllowed } = await import('./settings.ts')
      return stdout.isTTY === true && flags().color !== false && isColorAllowed(env)
    },

    async format() {
      const [{ createFormat }, colors, colored] = await Promise.all([
        import('./output/format.ts'),
        import('./colors.ts'),
        cli.color(),
      ])
      const terminal = stdout.isTTY === true
      const color = colors.createColors(colored)
      displayPromise ??= opening?.then(({ toolkit }) => toolkit.display())
      const display = (await displayPromise) ?? DISPLAY_DEFAULT
      return createFormat({ terminal, color, ...display, texts })
    },

    async readBack(read) {
      try {
        return await read()
      } catch (error) {
        const { message } = failureOf(error, texts)
        cli.note(cli.t('program.succeededButReadingTheResult', { message }))
        return undefined
      }
    },

    async print(list, { columns, empty }) {
      if (cli.json) return cli.writeJson(flags().envelope ? toEnvelope(list) : list)
      const rows = 'items' in list ? list.items : list
      if (rows.length === 0) return cli.note(emptyPageNote(list) ?? empty)
      const { renderTable } = await import('./output/table.ts')
      // `columns` is 0 if the terminal does not report its width.
      const width = (stdout.isTTY && stdout.columns) || undefined
      const { text, hidden } = renderTable(rows, columns, { format: await cli.format(), width })
      cli.write(text)
      if (hidden.length > 0) {
        const names = hidden.map((column) => columnNameOf(titleOf(column, cli))).join(', ')
        cli.note(cli.t('general.hiddenColumns', { names }))
      }
      if ('items' in list) noteMore(list)
    },

    async show(record, { columns }) {
      if (cli.json) return cli.writeJson(record)
      const { renderRecord } = await import('./output/table.ts')
      cli.write(renderRecord(record, columns, await cli.format()))
    },

    report(message, data) {
      if (cli.json) cli.writeJson(data)
      else cli.note(message)
    },

    progress(work) {
      const progress = createProgress(stderr, work)
      shownProgress = progress
      return {
        at: progress.at,
        end() {
          shownProgress = undefined
          progress.end()
        },
      }
    },

    interruption() {
      if (!stopController) {
        stopController = new AbortController()
        for (const signal of STOP_SIGNALS) process.on(signal, interrupt)
      }
      return stopController.signal
    },

    write: (line) => void stdout.write(`${stdout.isTTY ? stripControlChars(line) : line}\n`),
    writeJson(data) {
      const { fields, jq, template } = flags()
      const view = enriched(data)
      if (fields === undefined && jq === undefined && template === undefined) return cli.write(jsonText(view, 2))
      const selectedData = fields === undefined ? view : selectFields(texts, view, fields)
      if (template !== undefined) return write(renderTemplate(texts, selectedData, template))
      if (jq === undefined) return cli.write(JSON.stringify(selectedData, null, 2))
      jqOutput = jqOutput.then(async () => write(await runJq(texts, JSON.parse(jsonText(selectedData)), jq)))
      // `written` awaits the promise and throws its error.
      jqOutput.catch(() => {})
    },

    written: () => jqOutput,
    note(line) {
      // Clear the progress line. The next update of the progress draws it again.
      shownProgress?.end()
      stderr.write(`${sanitizeName(line)}\n`)
    },

    async prompts(missing) {
      if (!cli.interactive) {
        throw usageError(
          missing === undefined
            ? cli.t('general.noTerminalForPrompts')
            : cli.t('run.noTerminalForPrompts', { missing }),
        )
      }
      const { terminalPrompts } = await import('./input/prompts.ts')
      return terminalPrompts({ input: stdin, output: stderr })
    },

    async confirm(question, { yes }) {
      if (yes) return
      if (!cli.interactive) throw usageError(cli.t('general.noTerminalForConfirmation'))
      const prompts = await cli.prompts()
      if (!(await prompts.confirm({ message: sanitizeName(question), default: false }))) {
        throw new CommandError('DECLINED', cli.t('general.nothingWasChanged'))
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
      for (const signal of STOP_SIGNALS) process.off(signal, interrupt)
      // If opening failed, the error was already reported and nothing is open.
      const opened = await opening?.catch(() => undefined)
      await opened?.toolkit.close()
    },
  }

  function write(text: string): void {
    if (text !== '') cli.write(text)
  }

  function toEnvelope<T>(list: Page<T> | readonly T[]): Page<T> {
    if ('items' in list) return list
    const { length } = list
    return { items: [...list], total: length, page: 1, page_size: length }
  }

  /** Returns a note if the page is after the last page, else undefined. */
  function emptyPageNote(list: Page<unknown> | readonly unknown[]): string | undefined {
    if (!('items' in list) || list.total === 0) return undefined
    const pages = Math.ceil(list.total / list.page_size)
    return cli.t('general.pageIsEmpty', { page: list.page, pages, total: list.total })
  }

  function noteMore({ items, total, page, page_size }: Page<unknown>): void {
    if (total <= items.length) return
    const pages = Math.ceil(total / page_size)
    if (page < pages) cli.note(cli.t('general.pageOf', { page, pages, total, next: page + 1 }))
    else cli.note(cli.t('general.pageOfTotal', { page, pages, total }))
  }

  return cli
}
