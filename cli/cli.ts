import type { Readable } from 'node:stream'
import type { WriteStream } from 'node:tty'
import type { Actor } from '../core/actor.ts'
import type { SettingName } from '../core/config.ts'
import type { Page } from '../core/input.ts'
import type { LocalToolkit } from '../core/toolkit.ts'
import { CommandError, EXIT, usageError } from './errors.ts'
import type { Format } from './format.ts'
import { printable } from './printable.ts'
import type { Prompts } from './prompts.ts'
import type { Settings } from './settings.ts'
import type { Column } from './table.ts'

/** What a command has to do with the world: streams, questions, settings and the Toolkit. */
export interface Cli {
  readonly stdout: Output
  readonly stderr: Output
  /** Whether the data is for a program. */
  readonly json: boolean
  /** Whether there is somebody to ask. */
  readonly interactive: boolean
  /** Set to end with another code than 0 although nothing was thrown. */
  exitCode: number
  /** The settings in force; `flags` are those of the command itself. */
  settings(flags?: Partial<Record<SettingName, string | undefined>>): Promise<Settings>
  /** The Toolkit, and the user an operator at this machine acts for. Closed when the command has ended. */
  open(): Promise<{ toolkit: LocalToolkit; actor: Actor }>
  format(): Promise<Format>
  /** A list: a table, or with --json the whole answer as one document. `empty` is a hint for people. */
  print<T>(answer: Page<T> | readonly T[], view: { columns: readonly Column<T>[]; empty: string }): Promise<void>
  /** One record: its fields line by line, or one JSON document. */
  show<T>(record: T, view: { columns: readonly Column<T>[] }): Promise<void>
  /** What was done: a sentence for people on stderr, the thing itself for programs. */
  report(done: string, data: unknown): void
  /** Data: a line on stdout. */
  write(line: string): void
  writeJson(data: unknown): void
  /** Anything else: a line on stderr. */
  note(line: string): void
  /** Throws a usage error unless there is somebody to ask. */
  prompts(): Promise<Prompts>
  /** Lets a destructive act pass, or throws. */
  confirm(question: string, options: { yes: boolean | undefined }): Promise<void>
  /** All of stdin, without the line break at its end. */
  readInput(): Promise<string>
  close(): Promise<void>
}

export type Input = Readable & { isTTY?: boolean }
export type Output = NodeJS.WritableStream & Partial<Pick<WriteStream, 'isTTY' | 'columns'>>

export interface GlobalFlags {
  json?: boolean
  database?: string
  config?: string
  color?: boolean
}

const QUOTA_PER_UNIT = 500_000

export function createCli({
  stdin,
  stdout,
  stderr,
  flags,
}: {
  stdin: Input
  stdout: Output
  stderr: Output
  flags: () => GlobalFlags
}): Cli {
  let opening: Promise<{ toolkit: LocalToolkit; actor: Actor }> | undefined

  async function open() {
    const [{ openToolkit }, { toConfig }, { firstStart }] = await Promise.all([
      import('../core/toolkit.ts'),
      import('./settings.ts'),
      import('./root-user.ts'),
    ])
    const config = toConfig(await cli.settings())
    const toolkit = await openToolkit(config)
    try {
      const { root, password } = await firstStart(toolkit, config)
      if (password) cli.note(`First start: created the user root with the password ${password} (shown only now)`)
      return { toolkit, actor: { id: root.id, role: root.role } }
    } catch (error) {
      await toolkit.close()
      throw error
    }
  }

  const cli: Cli = {
    stdout,
    stderr,
    get json() {
      return flags().json === true
    },
    interactive: stdin.isTTY === true && stderr.isTTY === true,
    exitCode: EXIT.ok,

    async settings(own = {}) {
      const { readSettings } = await import('./settings.ts')
      const { database, config } = flags()
      return readSettings({ flags: { DATABASE_URL: database, ...own }, file: config })
    },

    open() {
      opening ??= open()
      return opening
    },

    async format() {
      const [{ createFormat }, { default: colors }, { colorWanted }] = await Promise.all([
        import('./format.ts'),
        import('picocolors'),
        import('./settings.ts'),
      ])
      const terminal = stdout.isTTY === true
      const color = colors.createColors(terminal && flags().color !== false && colorWanted())
      return createFormat({ terminal, color, quotaPerUnit: await quotaPerUnit() })
    },

    async print(answer, { columns, empty }) {
      if (cli.json) return cli.writeJson(answer)
      const rows = 'items' in answer ? answer.items : answer
      if (rows.length === 0) return cli.note(empty)
      const { renderTable } = await import('./table.ts')
      // A terminal that does not know its width says 0.
      const width = (stdout.isTTY && stdout.columns) || undefined
      cli.write(renderTable(rows, columns, { format: await cli.format(), width }))
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

    write: (line) => void stdout.write(`${line}\n`),
    writeJson: (data) => cli.write(JSON.stringify(data, null, 2)),
    note: (line) => void stderr.write(`${printable(line)}\n`),

    async prompts() {
      if (!cli.interactive) throw usageError('there is no terminal to ask on: give every answer as a flag')
      const { terminalPrompts } = await import('./prompts.ts')
      return terminalPrompts({ input: stdin, output: stderr })
    },

    async confirm(question, { yes }) {
      if (yes) return
      if (!cli.interactive) throw usageError('there is no terminal to ask on: confirm with --yes')
      const prompts = await cli.prompts()
      if (!(await prompts.confirm({ message: printable(question), default: false }))) {
        throw new CommandError('DECLINED', 'nothing was changed')
      }
    },

    async readInput() {
      const chunks: Buffer[] = []
      for await (const chunk of stdin) chunks.push(Buffer.from(chunk))
      return Buffer.concat(chunks)
        .toString('utf8')
        .replace(/\r?\n$/, '')
    },

    async close() {
      // What failed to open has been reported, and has closed itself.
      const opened = await opening?.catch(() => undefined)
      await opened?.toolkit.close()
    },
  }

  async function quotaPerUnit(): Promise<number> {
    if (!opening) return QUOTA_PER_UNIT
    const [{ toolkit }, { OPTIONS }] = await Promise.all([opening, import('../core/options/registry.ts')])
    return toolkit.options.get(OPTIONS.QuotaPerUnit)
  }

  function noteMore({ items, total, page, page_size }: Page<unknown>): void {
    if (total <= items.length) return
    const pages = Math.ceil(total / page_size)
    cli.note(`Page ${page} of ${pages}, ${total} in all.${page < pages ? ` Next: --page ${page + 1}` : ''}`)
  }

  return cli
}
