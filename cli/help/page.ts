import type { Argument, Option } from 'commander'
import type { Command, HelpBlock } from '../command.ts'

/*
 * Help of a command, without layout: the source for the terminal, docs/cli.md and the manual page.
 */
export interface HelpItem {
  term: string
  text: string
}

export interface HelpSection {
  title: string
  items: HelpItem[]
}

export interface HelpPage {
  /** The full command, such as `tollgate channel add`. */
  words: string
  description: string
  usage: string
  sections: HelpSection[]
  blocks: HelpBlock[]
  /** Example command lines. They are also in one of the blocks. */
  examples: readonly string[]
}

const EXAMPLES_OF_A_NOUN = 3

export function helpPageOf(command: Command): HelpPage {
  const options = visibleOptions(command)
  const { commands } = command
  const examples = command.examples.length
    ? command.examples
    : commands.flatMap((verb) => verb.examples.slice(0, 1)).slice(0, EXAMPLES_OF_A_NOUN)
  return {
    words: wordsOf(command),
    description: command.description(),
    usage: usageOf(command),
    sections: [
      {
        title: command.t('program.argumentsTitle'),
        items: command.registeredArguments.map((each) => argumentItem(each, command)),
      },
      ...groupItems(commands, {
        titleOf: (verb) => verb.helpGroup() || command.t('program.commandsTitle'),
        itemOf: (verb) => ({ term: verbTerm(verb), text: verb.description() }),
      }),
      ...groupItems(options, {
        titleOf: () => command.t(command.parent ? 'program.optionsTitle' : 'program.globalOptionsTitle'),
        itemOf: (option) => ({ term: optionTerm(option, options), text: optionText(option, command) }),
      }),
    ].filter(({ items }) => items.length > 0),
    blocks: [
      ...command.notes,
      ...(examples.length ? [{ title: command.t('program.examplesTitle'), lines: examples }] : []),
      ...(command.parent ? [] : [{ prose: command.t('program.forDetails') }]),
    ],
    examples,
  }
}

/** Returns the full command, such as `tollgate channel add`. */
export function wordsOf(command: Command): string {
  return command.parent ? `${wordsOf(command.parent)} ${command.name()}` : command.name()
}

/** Whether the command runs without a verb. */
export function actsAlone(command: Command): boolean {
  // Commander has no public access to these properties.
  return Boolean(Reflect.get(command, '_actionHandler') ?? Reflect.get(command, '_defaultCommandName'))
}

function usageOf(command: Command): string {
  const argumentTerms = command.registeredArguments.map((each) => argumentTerm(each))
  const verb = command.commands.length
    ? [actsAlone(command) ? `[${command.t('program.command')}]` : `<${command.t('program.command')}>`]
    : []
  const options = visibleOptions(command).length ? [`[${command.t('program.options')}]`] : []
  return [wordsOf(command), ...verb, ...argumentTerms, ...options].join(' ')
}

function argumentTerm(argument: Argument): string {
  const name = argument.name() + (argument.variadic ? '...' : '')
  return argument.required ? `<${name}>` : `[${name}]`
}

/** Returns the options to show. Only the program's own help lists --help, which every command has. */
export function visibleOptions(command: Command): Option[] {
  const all = command.parent ? command.options : command.createHelp().visibleOptions(command)
  return all.filter(({ hidden }) => !hidden)
}

function verbTerm(verb: Command): string {
  if (verb.commands.length > 0) return verb.name()
  return [verb.name(), ...verb.registeredArguments.map(argumentTerm)].join(' ')
}

/** Returns the flags of an option. Indents a long form without a short form if another option has a short form. */
function optionTerm({ short, flags }: Option, siblings: readonly Option[]): string {
  return short || siblings.every((option) => !option.short) ? flags : `    ${flags}`
}

function optionText(option: Option, command: Command): string {
  const { description, flags, argChoices = [], mandatory } = option
  // Flags such as `<on|off>` already list the choices.
  const choices = flags.includes(`<${argChoices.join('|')}>`) ? [] : argChoices
  const text = withChoices(description, choices, command)
  const note = mandatory ? command.t('program.required') : missingNote(option, command)
  return note === undefined ? text : command.t('program.withNote', { text, note })
}

/** Returns what happens without the option, such as its default; undefined for most options. */
function missingNote({ defaultValue, defaultValueDescription, negate }: Option, { t }: Command): string | undefined {
  if (defaultValueDescription !== undefined) return defaultValueDescription
  return defaultValue === undefined || negate ? undefined : t('program.default', { value: String(defaultValue) })
}

function argumentItem(argument: Argument, command: Command): HelpItem {
  const { argChoices = [], description } = argument
  return { term: argumentTerm(argument), text: withChoices(description, argChoices, command) }
}

/** Appends the choices to a text, such as `output format: txt, csv or json`. */
function withChoices(text: string, choices: readonly string[], { t }: Command): string {
  const [others, last] = [choices.slice(0, -1).join(t('program.comma')), choices.at(-1)]
  if (last === undefined) return text
  return t('program.withChoices', { text, choices: others === '' ? last : t('program.or', { others, last }) })
}

function groupItems<T>(
  things: readonly T[],
  { titleOf, itemOf }: { titleOf: (thing: T) => string; itemOf: (thing: T) => HelpItem },
): HelpSection[] {
  const sections = new Map<string, HelpItem[]>()
  for (const thing of things) {
    const title = titleOf(thing)
    sections.set(title, [...(sections.get(title) ?? []), itemOf(thing)])
  }
  return [...sections].map(([title, items]) => ({ title, items }))
}
