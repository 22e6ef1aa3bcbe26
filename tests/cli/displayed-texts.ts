import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseSync } from 'vite'

/*
 * Reads the sources below `cli/` for the texts that they display: ids with their values, columns, and English that has no id.
 */
const CLI = fileURLToPath(new URL('../../cli', import.meta.url))

interface Found {
  /** Location, for messages of tests. */
  where: string
}

/** An id in the sources; `values` are the names of its values, undefined if another statement gives them. */
export interface UsedId extends Found {
  id: string
  values: readonly string[] | undefined
}

export interface FoundText extends Found {
  text: string
}

/** Every id in the sources: `area.key`, where `isId` accepts it. */
export function* usedIds(isId: (text: string) => boolean): Generator<UsedId> {
  for (const { where, program } of sources()) {
    const given = new Map<Node, readonly string[] | undefined>()
    for (const node of nodesOf(program)) {
      for (const [ids, values] of textsGiven(node)) for (const id of ids) given.set(id, values)
      const id = literalIn(node)
      if (id !== undefined && isId(id)) yield { where, id, values: given.has(node) ? given.get(node) : [] }
    }
  }
}

/** The texts of the titles of columns. */
export function* columnTitles(): Generator<FoundText> {
  for (const { where, column } of columns()) {
    const text = titleIn(column)
    if (text !== undefined) yield { where, text }
  }
}

/** The texts of the titles of each table. */
export function* tables(): Generator<Found & { titles: string[] }> {
  for (const { where, program } of sources()) {
    for (const { type, elements = [] } of nodesOf(program)) {
      const titles =
        type === 'ArrayExpression' ? elements.filter(isColumn).flatMap((column) => titleIn(column) ?? []) : []
      if (titles.length > 1) yield { where, titles }
    }
  }
}

const titleIn = (column: Node) => literalIn(fieldOf(column, 'title')) ?? literalIn(fieldOf(column, 'name'))

/** Names of the checks of `doctor` and `upgrade-check`. */
export function* checkNames(): Generator<string> {
  for (const { program } of sources()) {
    for (const { callee, arguments: given = [] } of nodesOf(program)) {
      const name = callee && nameIn(callee) === 'findings' ? literalIn(given[0]) : undefined
      if (name !== undefined) yield name
    }
  }
}

/** Words that the value of a column is, or may be, without a label. */
export function* wordsInColumns(): Generator<FoundText> {
  for (const { where, column } of columns()) {
    for (const text of wordsShown(fieldOf(column, 'value')?.body)) yield { where, text }
  }
}

/** English in errors of the command line, which have ids. */
export function* wordsInErrors(): Generator<FoundText> {
  for (const { where, program } of sources()) {
    for (const { callee, arguments: given = [] } of nodesOf(program)) {
      const at = callee && ERRORS.get(nameIn(callee) ?? '')
      const text = at === undefined ? undefined : writtenIn(given[at])
      if (text !== undefined && isWord(text)) yield { where, text }
    }
  }
}

/** Functions and classes of errors, and the position of the text. */
const ERRORS = new Map([
  ['usageError', 0],
  ['MissingFlag', 0],
  ['InvalidValue', 0],
  ['InvalidArgumentError', 0],
  ['CommandError', 1],
])

const isWord = (text: string) => /[a-z]{2}/i.test(text.replace(/\{\d+\}|^https?:.*/g, ''))

/** The ids that a node displays, with the names of their values: `t(id, values)`, `note(id, values)` and `{ id, values }`. */
function* textsGiven(node: Node): Generator<[ids: Node[], values: readonly string[] | undefined]> {
  const called = node.type === 'CallExpression' && node.callee ? nameIn(node.callee) : undefined
  if (called === 't' || called === 'note') {
    const [id, values] = node.arguments ?? []
    yield [alternativesOf(id), namesIn(values)]
  } else if (node.type === 'ObjectExpression' && fieldOf(node, 'id') && (node.properties?.length ?? 0) <= 2) {
    yield [alternativesOf(fieldOf(node, 'id')), namesIn(fieldOf(node, 'values'))]
  }
}

function alternativesOf(node: Node | undefined): Node[] {
  if (node?.type !== 'ConditionalExpression') return node ? [node] : []
  return [...alternativesOf(node.consequent), ...alternativesOf(node.alternate)]
}

/** Names of an object's fields; undefined if it is not written here. */
function namesIn(values: Node | undefined): readonly string[] | undefined {
  if (values === undefined) return []
  if (values.type !== 'ObjectExpression' || values.properties?.some(({ key }) => !key)) return undefined
  return values.properties?.map(({ key }) => key?.name ?? '')
}

/** Objects with a name that make a value of a row. */
function* columns(): Generator<Found & { column: Node }> {
  for (const { where, program } of sources()) {
    for (const node of nodesOf(program)) {
      if (isColumn(node)) yield { where, column: node }
    }
  }
}

const isColumn = (node: Node | null): node is Node =>
  node?.type === 'ObjectExpression' &&
  /^[a-z%]/.test(literalIn(fieldOf(node, 'name')) ?? '') &&
  MAKERS.has(fieldOf(node, 'value')?.type ?? '')

const MAKERS = new Set(['ArrowFunctionExpression', 'CallExpression', 'Identifier'])

/** Follows what a value can be: both ways of a choice, parts of a template and a sum, arguments of a function. */
function* wordsShown(node: Node | undefined): Generator<string> {
  if (!node) return
  const { type, left, right, operator = '' } = node
  const text = writtenIn(node)
  if (text !== undefined && isWord(text)) yield text
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

/** Arguments of these functions are ids, or are not displayed. */
const UNSHOWN = new Set(['t', 'label', 'title', 'labelOf', 'join', 'split', 'replaceAll', 'padStart', 'padEnd'])

function* sources(): Generator<Found & { program: Node }> {
  for (const file of readdirSync(CLI, { recursive: true, encoding: 'utf8' }).sort()) {
    if (!/\.tsx?$/.test(file) || file.startsWith('texts')) continue
    const { program } = parseSync(file, readFileSync(join(CLI, file), 'utf8'))
    yield { where: `cli/${file}`, program: program as unknown as Node }
  }
}

/** All nodes, outer ones first. */
function* nodesOf(node: Node): Generator<Node> {
  yield node
  for (const child of Object.values(node).flat()) {
    if (typeof child === 'object' && child !== null && 'type' in child) yield* nodesOf(child as Node)
  }
}

/** As much of ESTree as is read here. */
interface Node {
  type: string
  callee?: Node
  arguments?: Node[]
  elements?: (Node | null)[]
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

const fieldOf = (node: Node, name: string) =>
  node.properties?.find(({ key }) => key?.name === name)?.value as Node | undefined

/** `t` of `cli.t` */
function nameIn(node: Node): string | undefined {
  return node.type === 'Identifier' ? node.name : node.property?.name
}

function literalIn(node: Node | undefined): string | undefined {
  return node?.type === 'Literal' && typeof node.value === 'string' ? node.value : undefined
}

/** A literal, or a template with its values as `{0}`. */
function writtenIn(node: Node | undefined): string | undefined {
  if (node?.type !== 'TemplateLiteral') return literalIn(node)
  return node.quasis?.map(({ value }) => value.cooked).reduce((text, part, at) => `${text}{${at - 1}}${part}`)
}
