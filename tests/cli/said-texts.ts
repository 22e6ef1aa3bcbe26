import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Command } from 'commander'
import { parseSync } from 'vite'
import { blocksOf } from '../../cli/help/page.ts'

/*
 * Every English text of the command line that somebody may read in another language: what commands say of themselves, and what
 * the sources say when they run.
 */
const CLI = fileURLToPath(new URL('../../cli', import.meta.url))
const same = { text: (english: string) => english }

/** A text, and where it stands. */
export interface Said {
  text: string
  where: string
}

export function* textsOfHelp(command: Command, where = command.name()): Generator<Said> {
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

/** What the sources below `cli/` say while they run. */
export function* textsOfSources(): Generator<Said> {
  for (const { file, program } of sources()) {
    for (const text of textsIn(program)) yield { text, where: `cli/${file}` }
  }
}

/** Every text that is written anywhere below `cli/`: what is translated and not among them is said no more. */
export function writtenTexts(): Set<string> {
  const found = new Set<string>()
  const walk = (node: Node) => {
    const text = writtenIn(node)
    if (text !== undefined) found.add(text)
    for (const child of childrenOf(node)) walk(child)
  }
  for (const { program } of sources()) walk(program)
  return found
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
    const field = (name: string) => node.properties?.find(({ key }) => key?.name === name)?.value as Node | undefined
    const title = field('value') && field('title')
    const text = title && writtenIn(title)
    if (text) yield text
  }
  for (const child of childrenOf(node)) yield* textsIn(child)
}

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
