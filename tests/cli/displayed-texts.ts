import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Command } from 'commander'
import { parseSync } from 'vite'
import { blocksOf } from '../../cli/help/page.ts'

/*
 * Every English text of the command line that needs a translation: the help of commands, and the texts that
 * the sources print when they run.
 */
const CLI = fileURLToPath(new URL('../../cli', import.meta.url))
const same = { text: (english: string) => english }

/** A text and its location. */
export interface DisplayedText {
  text: string
  where: string
}

export function* textsOfHelp(command: Command, where = command.name()): Generator<DisplayedText> {
  const { registeredArguments, options, commands } = command
  const blocks = blocksOf(command, same).flatMap(({ title, prose }) => [title, prose])
  const texts = [
    command.description(),
    command.summary(),
    command.helpGroup(),
    ...registeredArguments.map(({ description }) => description),
    ...options.flatMap(({ description, helpGroupHeading, hidden }) => (hidden ? [] : [description, helpGroupHeading])),
    ...blocks,
  ]
  for (const text of texts) if (text) yield { text, where: `${where} --help` }
  for (const verb of commands) yield* textsOfHelp(verb, `${where} ${verb.name()}`)
}

/** Texts that the sources below `cli/` display. */
export function* textsOfSources(): Generator<DisplayedText> {
  for (const { file, program } of sources()) {
    for (const text of textsIn(program)) yield { text, where: `cli/${file}` }
  }
}

/** Words that the value of a column is, or may be, without being translated. */
export function* untranslatedWords(): Generator<DisplayedText> {
  for (const { file, program } of sources()) {
    for (const text of wordsOfColumns(program)) yield { text, where: `cli/${file}` }
  }
}

function* wordsOfColumns(node: Node): Generator<string> {
  const value = node.type === 'ObjectExpression' && fieldOf(node, 'title') && fieldOf(node, 'value')
  if (value && value.type === 'ArrowFunctionExpression') yield* wordsShown(value.body)
  for (const child of childrenOf(node)) yield* wordsOfColumns(child)
}

/** Follows what a value can turn out to be: both ways of a choice, parts of a template and a sum, arguments of a function. */
function* wordsShown(node: Node | undefined): Generator<string> {
  if (!node || typeof node !== 'object') return
  const { type, left, right, operator = '' } = node
  const text = type === 'Literal' || type === 'TemplateLiteral' ? writtenIn(node) : undefined
  if (text && /[a-z]{2}/i.test(text.replace(/\{\d+\}|^https?:.*/g, ''))) yield text
  if (type === 'ConditionalExpression') {
    yield* wordsShown(node.consequent)
    yield* wordsShown(node.alternate)
  } else if (type === 'LogicalExpression' || operator === '+') {
    for (const side of [left, right]) yield* wordsShown(side)
  } else if (type === 'TemplateLiteral') {
    for (const part of node.expressions ?? []) yield* wordsShown(part)
  } else if (type === 'CallExpression' && node.callee) {
    const called = nameIn(node.callee) ?? ''
    if (called === 'labelOf') yield called
    if (!UNSHOWN.has(called)) for (const argument of node.arguments ?? []) yield* wordsShown(argument)
  } else if (type === 'ParenthesizedExpression') yield* wordsShown(node.expression)
}

/** Arguments of these functions are translated there, or are not displayed. */
const UNSHOWN = new Set(['text', 'labelOf', 'join', 'split', 'replaceAll', 'padStart', 'padEnd'])

/** Every text below `cli/`: a translation of any other text is unused. */
export function writtenTexts(): Set<string> {
  const texts = new Set<string>()
  const walk = (node: Node) => {
    const text = writtenIn(node)
    if (text !== undefined) texts.add(text)
    for (const child of childrenOf(node)) walk(child)
  }
  for (const { program } of sources()) walk(program)
  return texts
}

function* sources(): Generator<{ file: string; program: Node }> {
  for (const file of readdirSync(CLI, { recursive: true, encoding: 'utf8' }).sort()) {
    if (!/\.tsx?$/.test(file) || file.startsWith('texts')) continue
    const { program } = parseSync(file, readFileSync(join(CLI, file), 'utf8'))
    yield { file, program: program as unknown as Node }
  }
}

function childrenOf(node: Node): Node[] {
  return Object.values(node)
    .flat()
    .filter((child): child is Node => typeof child === 'object' && child !== null && 'type' in child)
}

/** As much of ESTree as is asked for here. */
interface Node {
  type: string
  tag?: Node
  quasi?: Node
  callee?: Node
  arguments?: Node[]
  property?: Node
  key?: Node
  value?: Node | string | number
  name?: string
  properties?: Node[]
  body?: Node
  consequent?: Node
  alternate?: Node
  left?: Node
  right?: Node
  operator?: string
  expression?: Node
  expressions?: Node[]
  quasis?: { value: { cooked: string } }[]
}

const REFUSALS = new Set(['usageError', 'CommandError', 'InvalidArgumentError'])

function* textsIn(node: Node): Generator<string> {
  const called = node.callee && nameIn(node.callee)
  if (node.type === 'TaggedTemplateExpression' && node.tag && nameIn(node.tag) === 'say') {
    const text = node.quasi && writtenIn(node.quasi)
    if (text) yield text
  } else if (called === 'text' || (called !== undefined && REFUSALS.has(called))) {
    for (const argument of node.arguments?.slice(
      called === 'CommandError' ? 1 : 0,
      called === 'CommandError' ? 2 : 1,
    ) ?? []) {
      const text = writtenIn(argument)
      if (text) yield text
    }
  } else if (node.type === 'ObjectExpression') {
    // A column: what has a title and makes a value.
    const title = fieldOf(node, 'value') && fieldOf(node, 'title')
    const text = title && writtenIn(title)
    if (text) yield text
  }
  for (const child of childrenOf(node)) yield* textsIn(child)
}

const fieldOf = (node: Node, name: string) =>
  node.properties?.find(({ key }) => key?.name === name)?.value as Node | undefined

/** `say` of `cli.say` */
function nameIn(node: Node): string | undefined {
  return node.type === 'Identifier' ? node.name : node.property?.name
}

/** A literal, or a template with its values as `{0}`. */
function writtenIn(node: Node): string | undefined {
  if (node.type === 'Literal') return typeof node.value === 'string' ? node.value : undefined
  if (node.type !== 'TemplateLiteral') return undefined
  return node.quasis?.map(({ value }) => value.cooked).reduce((key, part, at) => `${key}{${at - 1}}${part}`)
}
