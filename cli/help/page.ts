import type { EventEmitter } from 'node:events'
import type { Argument, Command, Option } from 'commander'
import type { Texts } from '../texts.ts'

/*
 * Help of a command, without layout: the source for the terminal, docs/cli.md and the manual page.
 */
export interface Item {
  term: string
  text: string
}

export interface Section {
  title: string
  items: Item[]
}

/** A part of a page below its lists: preformatted lines such as examples, or a paragraph to wrap. */
export interface Block {
  title?: string
  lines?: string[]
  prose?: string
}

export interface HelpPage {
  /** Full command: `tollgate channel add`. */
  words: string
  description: string
  usage: string
  sections: Section[]
  blocks: Block[]
}

type Say = Pick<Texts, 'say' | 'text'>

const EXAMPLES = 'Examples:'
const EXAMPLES_OF_A_NOUN = 3

export function helpPageOf(command: Command, texts: Say): HelpPage {
  const { text } = texts
  const options = shownOptions(command)
  const blocks = blocksOf(command, texts)
  const hasExamples = blocks.some(({ title }) => title === text(EXAMPLES))
  const gathered = hasExamples ? [] : command.commands.flatMap((verb) => examplesOf(verb).slice(0, 1))
  return {
    words: wordsOf(command),
    description: text(command.description()),
    usage: usageOf(command, texts),
    sections: [
      { title: text('Arguments:'), items: command.registeredArguments.map((each) => argumentItem(each, texts)) },
      ...grouped(command.commands, {
        titleOf: (verb) => text(verb.helpGroup() || 'Commands:'),
        itemOf: (verb) => ({ term: verbTerm(verb), text: text(verb.summary() || verb.description()) }),
      }),
      ...grouped(options, {
        titleOf: (option) => text(option.helpGroupHeading ?? (command.parent ? 'Options:' : 'Global options:')),
        itemOf: (option) => ({ term: optionTerm(option, options), text: optionText(option, texts) }),
      }),
    ].filter(({ items }) => items.length > 0),
    blocks: gathered.length
      ? [...blocks, { title: text(EXAMPLES), lines: gathered.slice(0, EXAMPLES_OF_A_NOUN) }]
      : blocks,
  }
}

/** `tollgate channel add` */
export function wordsOf(command: Command): string {
  return command.parent ? `${wordsOf(command.parent)} ${command.name()}` : command.name()
}

/** Whether the command runs without a verb. */
export function actsAlone(command: Command): boolean {
  // Commander has no public access to these.
  return Boolean(Reflect.get(command, '_actionHandler') ?? Reflect.get(command, '_defaultCommandName'))
}

function examplesOf(command: Command): string[] {
  return blocksOf(command, { text: (english) => english })
    .filter(({ title }) => title === EXAMPLES)
    .flatMap(({ lines }) => lines ?? [])
}

function usageOf(command: Command, { text }: Say): string {
  const places = command.registeredArguments.map((each) => placeOf(each))
  const verb = command.commands.length ? [actsAlone(command) ? `[${text('command')}]` : `<${text('command')}>`] : []
  const options = shownOptions(command).length ? [`[${text('options')}]`] : []
  return [wordsOf(command), ...verb, ...places, ...options].join(' ')
}

function placeOf(argument: Argument): string {
  const name = argument.name() + (argument.variadic ? '...' : '')
  return argument.required ? `<${name}>` : `[${name}]`
}

/** Options to show. Only the program's own help lists --help, which every command has. */
export function shownOptions(command: Command): Option[] {
  const all = command.parent ? command.options : command.createHelp().visibleOptions(command)
  return all.filter(({ hidden }) => !hidden)
}

function verbTerm(verb: Command): string {
  if (verb.commands.length > 0) return verb.name()
  return [verb.name(), ...verb.registeredArguments.map(placeOf)].join(' ')
}

/** Aligns long options if some have a short form. */
function optionTerm({ short, flags }: Option, beside: readonly Option[]): string {
  return short || beside.every((option) => !option.short) ? flags : `    ${flags}`
}

function optionText(option: Option, texts: Say): string {
  const { description, argChoices, defaultValue, defaultValueDescription, negate, mandatory } = option
  const known = defaultValueDescription ?? defaultValue
  const mentionsDefault = /\bdefault\b/.test(description)
  return [
    texts.text(description),
    mandatory && texts.text('(required)'),
    argChoices && !mentionsDefault && texts.say`(one of ${argChoices.join(', ')})`,
    known !== undefined && !negate && !mentionsDefault && texts.say`(default: ${String(known)})`,
  ]
    .filter(Boolean)
    .join(' ')
}

function argumentItem(argument: Argument, texts: Say): Item {
  const { argChoices, description } = argument
  const choices = argChoices ? texts.say`(one of ${argChoices.join(', ')})` : ''
  return { term: placeOf(argument), text: [texts.text(description), choices].filter(Boolean).join(' ') }
}

function grouped<T>(
  things: readonly T[],
  { titleOf, itemOf }: { titleOf: (thing: T) => string; itemOf: (thing: T) => Item },
): Section[] {
  const sections = new Map<string, Item[]>()
  for (const thing of things) {
    const title = titleOf(thing)
    sections.set(title, [...(sections.get(title) ?? []), itemOf(thing)])
  }
  return [...sections].map(([title, items]) => ({ title, items }))
}

/** Parses the text of addHelpText: a block for each paragraph. Keeps indented lines. */
export function blocksOf(command: Command, { text }: Pick<Texts, 'text'>): Block[] {
  let written = ''
  const write = (more: string) => {
    written += more
  }
  // Commander's types omit this event, which makes a command write its help.
  ;(command as unknown as EventEmitter).emit('afterHelp', { error: false, command, write })
  const paragraphs = written.split(/\n\s*\n/).map((paragraph) => paragraph.replace(/^\n+|\s+$/g, ''))
  return paragraphs.filter(Boolean).flatMap((paragraph): Block[] => {
    const lines = paragraph.split('\n')
    const at = lines.findIndex((line) => line.startsWith(' '))
    const prose = (at < 0 ? lines : lines.slice(0, at)).join(' ')
    const rest = at < 0 ? [] : lines.slice(at)
    const titled = prose.endsWith(':') && rest.length > 0
    if (titled) {
      const title = text(prose === 'Example:' ? EXAMPLES : prose)
      return [{ title, lines: rest.map((line) => line.trim()) }]
    }
    return [
      ...(prose ? [{ prose: text(prose) }] : []),
      ...(rest.length ? [{ lines: rest.map((line) => line.trim()) }] : []),
    ]
  })
}
