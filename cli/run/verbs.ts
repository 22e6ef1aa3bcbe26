import type { Actor } from '../../core/actor.ts'
import type { Page, Paging } from '../../core/input.ts'
import type { Cli } from '../cli.ts'
import { Command } from '../command.ts'
import type { Column } from '../output/column.ts'
import { type ListFlags, showAll, showList, type ViewFlags, withListFlags, withViewFlags } from '../output/listing.ts'
import type { TextId } from '../texts.ts'
import type { CommandToolkit } from '../toolkit.ts'
import { type BulkFlags, runBulk, withBulkFlags } from './bulk.ts'

/*
 * Builds nouns and verbs from descriptors. Commander passes the arguments of the command line, then the object with the
 * flags, to `check` and to the operation of a verb.
 */

/** Builds a command for one run of the program. */
export type CommandBuilder = (cli: Cli) => Command

/** The command line interface of a verb, the operations of its target gateway, and the acting user. */
export interface VerbTarget {
  cli: Cli
  toolkit: CommandToolkit
  actor: Actor
}

interface VerbTexts {
  name: string
  description: TextId
  /** Adds arguments and options. */
  syntax?: (command: Command) => Command
  examples: readonly string[]
  /** See `Command.exitsWithChanges`. */
  exitsWithChanges?: boolean
}

interface GatewayVerb<Args extends unknown[]> extends VerbTexts {
  /** Validates the command line before the gateway is opened. */
  check?: (cli: Cli, ...args: Args) => Result<void>
}

interface TableView<T> {
  columns: readonly Column<T>[]
  /** Returns the hint for an empty list. */
  empty: (cli: Cli) => string
}

type Result<T> = T | Promise<T>
type PageReader<T> = (paging: Paging & { page: number; pageSize: number }) => Result<Page<T>>

/** Flag of verbs that ask for confirmation. */
export const YES = ['-y, --yes', 'general.skipTheConfirmation'] as const

export interface YesFlag {
  yes?: true
}

/** Builds a command whose subcommands are the verbs. */
export function noun(name: string, verbs: readonly CommandBuilder[]): CommandBuilder {
  return (cli) => verbs.reduce((command, verb) => command.addCommand(verb(cli)), new Command(name, cli))
}

/** Builds a verb whose `run` opens the gateway itself, if the verb needs a gateway. */
export function plainVerb<Args extends unknown[]>({
  name,
  description,
  syntax = (command) => command,
  examples,
  exitsWithChanges = false,
  run,
}: VerbTexts & { run: (cli: Cli, ...args: Args) => Result<void> }): CommandBuilder {
  return (cli) => {
    const command = syntax(new Command(name, cli).description(description))
      .example(...examples)
      // Commander passes the command itself last.
      .action(async (...args: [...Args, Command]) => run(cli, ...(args.slice(0, -1) as Args)))
    command.exitsWithChanges = exitsWithChanges
    return command
  }
}

/** Builds a verb with its own operation. */
export function verb<Args extends unknown[]>({
  check,
  run,
  ...texts
}: GatewayVerb<Args> & { run: (gateway: VerbTarget, ...args: Args) => Result<void> }): CommandBuilder {
  return plainVerb<Args>({
    ...texts,
    async run(cli, ...args) {
      await check?.(cli, ...args)
      await run({ cli, ...(await cli.open()) }, ...args)
    },
  })
}

/** Builds a verb that shows one record. */
export function showVerb<T, Args extends unknown[]>({
  columns,
  record,
  ...texts
}: GatewayVerb<Args> & {
  columns: TableView<T>['columns']
  record: (gateway: VerbTarget, ...args: Args) => Result<T>
}): CommandBuilder {
  return verb<Args>({
    ...texts,
    async run(gateway, ...args) {
      await gateway.cli.show(await record(gateway, ...args), { columns })
    },
  })
}

/** Builds a verb that lists rows without pages. */
export function listVerb<T extends object, Args extends unknown[]>({
  syntax = (command) => command,
  columns,
  empty,
  rows,
  ...texts
}: GatewayVerb<Args> &
  TableView<T> & { rows: (gateway: VerbTarget, ...args: Args) => Result<readonly T[]> }): CommandBuilder {
  return verb<Args>({
    ...texts,
    syntax: (command) => withViewFlags(syntax(command), columns),
    async run(gateway, ...args) {
      const { cli } = gateway
      const flags = args.at(-1) as ViewFlags
      await showAll(cli, flags, await rows(gateway, ...args), { columns, empty: empty(cli) })
    },
  })
}

/** Builds a verb that lists rows by pages. */
export function pagedVerb<T extends object, Args extends unknown[]>({
  syntax = (command) => command,
  columns,
  empty,
  pages,
  ...texts
}: GatewayVerb<Args> &
  TableView<T> & {
    /** Prepares the query once, and returns a function that reads a page. */
    pages: (gateway: VerbTarget, ...args: Args) => Result<PageReader<T>>
  }): CommandBuilder {
  return verb<Args>({
    ...texts,
    syntax: (command) => withListFlags(syntax(command), columns),
    async run(gateway, ...args) {
      const { cli } = gateway
      const flags = args.at(-1) as ListFlags
      const read = await pages(gateway, ...args)
      await showList(cli, flags, async (paging) => read(paging), { columns, empty: empty(cli) })
    },
  })
}

/** Builds a verb that changes several objects. All objects are checked before the first object is changed. */
export function bulkVerb<Id, T extends { id: number }, R>({
  argument: [name, description, parse],
  check,
  confirm,
  run,
  doneText,
  json,
  ...texts
}: Omit<VerbTexts, 'syntax'> & {
  /** Name, description and parser of the ids. */
  argument: readonly [string, TextId, (text: string, before?: Id[]) => Id[]]
  /** Returns the object. Throws every error that can be detected before the change. */
  check: (gateway: VerbTarget, id: Id) => Result<T>
  /** Returns the question to ask before the first change. --yes skips the question. */
  confirm?: (cli: Cli, items: readonly T[]) => string
  run: (gateway: VerbTarget, item: T) => Result<R>
  /** Returns the message about a completed change. */
  doneText: (cli: Cli, result: R) => string
  /** Returns the JSON of the results. The default is the result if there is one id, else the list of results. */
  json?: (results: readonly R[]) => unknown
}): CommandBuilder {
  return verb({
    ...texts,
    syntax: (command) => {
      command.argument(name, description, parse)
      return withBulkFlags(confirm ? command.option(...YES) : command)
    },
    async run(gateway, ids: Id[], { yes, keepGoing }: BulkFlags & YesFlag) {
      const { cli } = gateway
      await runBulk(cli, ids, {
        keepGoing,
        check: async (id) => check(gateway, id),
        ...(confirm && { confirm: (items: readonly T[]) => cli.confirm(confirm(cli, items), { yes }) }),
        run: async (item) => run(gateway, item),
        doneText: (result) => doneText(cli, result),
        ...(json && { json }),
      })
    },
  })
}
