import { FEATURES, type Feature } from './meant.ts'
import type { Upstream } from './upstreams.ts'

/** Result of one feature with one upstream: problems, or what happened to a feature that the vendor does not support. */
export type Cell = { problems: readonly string[]; inOwnWay?: boolean } | { fate: string }

export interface Matrix {
  dialects: readonly string[]
  upstreams: readonly Upstream[]
  /** Undefined if the client's format does not have the feature. */
  cellOf: (dialect: string, upstream: Upstream, feature: Feature) => Cell | undefined
}

const BEGIN = '<!-- The results are written by `npm run matrix`. -->'
const END = '<!-- End of the results. -->'
const WIDTH = 120

/** Returns the document with its results replaced; the text around them is kept. */
export function withResults(document: string, matrix: Matrix): string {
  const [before, rest = ''] = document.split(BEGIN)
  const after = rest.split(END)[1] ?? ''
  return `${before}${BEGIN}\n\n${resultsOf(matrix)}\n${notesOf(matrix)}\n${END}${after}`
}

function resultsOf(matrix: Matrix): string {
  const rows = matrix.upstreams.map((upstream) => ({
    name: upstream.name,
    marks: FEATURES.map((feature) => marksOf(matrix, upstream, feature)),
  }))
  const isComplete = ({ marks }: { marks: string[] }) => marks.every((mark) => mark === '✓')
  const complete = rows.filter(isComplete).map(({ name }) => name)
  const others = rows.filter((row) => !isComplete(row)).map(({ name, marks }) => [name, ...marks])
  const formats = matrix.dialects.map((dialect) => `\`${dialect}\``).join(', ')
  const list = wrapped(`Everything works in the formats ${formats} with these upstreams: ${complete.join('; ')}.`)
  return `${list}\n\nThe others:\n\n${lines([['upstream', ...FEATURES], ...others])}`
}

/** One mark if the formats agree. Otherwise the marks other than ticks, each with its formats. */
function marksOf({ dialects, cellOf }: Matrix, upstream: Upstream, feature: Feature): string {
  const dialectsByMark = new Map<string, string[]>()
  for (const dialect of dialects) {
    const cell = cellOf(dialect, upstream, feature)
    if (cell) dialectsByMark.set(markOf(cell), [...(dialectsByMark.get(markOf(cell)) ?? []), `\`${dialect}\``])
  }
  if (dialectsByMark.size === 1) return [...dialectsByMark.keys()].join('')
  dialectsByMark.delete('✓')
  return [...dialectsByMark].map(([mark, names]) => `${mark} in ${names.join(', ')}`).join('; ')
}

function markOf(cell: Cell): string {
  if ('fate' in cell) return FATES[cell.fate] ?? '✗'
  if (cell.problems.length > 0) return '✗'
  return cell.inOwnWay ? 'V' : '✓'
}
const FATES: Readonly<Record<string, string>> = { refused: 'R', 'left out': '–' }

function wrapped(text: string): string {
  const [first = '', ...words] = text.split(' ')
  const wrappedLines = [first]
  for (const word of words) {
    const line = `${wrappedLines.at(-1)} ${word}`
    if (line.length > WIDTH) wrappedLines.push(word)
    else wrappedLines[wrappedLines.length - 1] = line
  }
  return wrappedLines.join('\n')
}

function lines([head = [], ...rows]: string[][]): string {
  const line = (row: string[]) => `| ${row.join(' | ')} |\n`
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('')
}

/** What the marks do not say, each with its upstreams. */
function notesOf({ upstreams }: Matrix): string {
  const namesByRemark = new Map<string, string[]>()
  for (const upstream of upstreams) {
    for (const remark of remarksOn(upstream)) {
      namesByRemark.set(remark, [...(namesByRemark.get(remark) ?? []), upstream.name])
    }
  }
  const notes = [...namesByRemark].map(([remark, names]) => `- ${names.join('; ')}: ${remark}\n`)
  return `### Notes\n\n${notes.join('')}`
}

function remarksOn({ lacks = {}, inChat, thinksUnasked, note }: Upstream): string[] {
  return [
    ...new Set(Object.values(lacks).filter((note) => note !== true)),
    ...(inChat?.reasoning ? [THOUGHTS_IN_TEXT] : []),
    ...(thinksUnasked ? ['the gateway reads reasoning, but requests do not turn it on or off'] : []),
    ...(note ? [note] : []),
  ]
}
const THOUGHTS_IN_TEXT =
  'reasoning in `openai-chat` is in the text, between `<think>` tags; with `force_format` and in other formats, it is separate'
