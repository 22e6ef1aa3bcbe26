import { FEATURES, type Feature } from './meant.ts'
import type { Upstream } from './upstreams.ts'

/** What came of one feature with one upstream: problems, or the fate of what its format has no place for. */
export type Cell = { problems: readonly string[]; inOwnWay?: boolean } | { fate: string; reason: string }

export interface Matrix {
  dialects: readonly string[]
  upstreams: readonly Upstream[]
  /** Undefined: the client's own format has no place for it. */
  cellOf: (dialect: string, upstream: Upstream, feature: Feature) => Cell | undefined
}

const BEGIN = '<!-- The tables are written by `npm run matrix`. -->'
const END = '<!-- End of the tables. -->'

/** Returns the document with its tables replaced; the text around them is kept. */
export function withTables(document: string, matrix: Matrix): string {
  const [before, rest = ''] = document.split(BEGIN)
  const after = rest.split(END)[1] ?? ''
  const tables = matrix.dialects.map((dialect) => tableOf(dialect, matrix)).join('\n')
  return `${before}${BEGIN}\n\n${tables}\n${notesOf(matrix)}\n${END}${after}`
}

function tableOf(dialect: string, { upstreams, cellOf }: Matrix): string {
  const features = FEATURES.filter((feature) => upstreams.some((upstream) => cellOf(dialect, upstream, feature)))
  const rows = upstreams.map((upstream) => [
    upstream.name,
    ...features.map((feature) => markOf(cellOf(dialect, upstream, feature))),
  ])
  return `### \`${dialect}\`\n\n${lines([['upstream', ...features], ...rows])}`
}

function markOf(cell: Cell | undefined): string {
  if (!cell) return ''
  if ('fate' in cell) return FATES[cell.fate] ?? '✗'
  if (cell.problems.length > 0) return '✗'
  return cell.inOwnWay ? 'V' : '✓'
}
const FATES: Readonly<Record<string, string>> = { refused: 'R', 'left out': '–' }

function lines([head = [], ...rows]: string[][]): string {
  const widths = head.map((_, column) => Math.max(...[head, ...rows].map((row) => (row[column] ?? '').length), 3))
  const line = (row: string[]) => `| ${row.map((text, column) => text.padEnd(widths[column] ?? 0)).join(' | ')} |\n`
  return [line(head), line(widths.map((width) => '-'.repeat(width))), ...rows.map(line)].join('')
}

/** Why marks are no ticks, and what else is to be known about a row. */
function notesOf({ upstreams }: Matrix): string {
  const notes = upstreams.flatMap((upstream) => {
    const remarks = [...reasonsOf(upstream), ...remarksOn(upstream)]
    return remarks.length ? [`- ${upstream.name}: ${remarks.join('; ')}\n`] : []
  })
  return `### Notes\n\n${notes.join('')}`
}

/** One for all features that are lacking for it. */
function reasonsOf({ lacks = {} }: Upstream): string[] {
  const featuresFor = (reason: string) =>
    Object.entries(lacks).flatMap(([feature, why]) => (why === reason ? feature : []))
  return [...new Set(Object.values(lacks))].map((reason) => `${featuresFor(reason).join(', ')}: ${reason}`)
}

function remarksOn({ inChat, thinksUnasked, note }: Upstream): string[] {
  return [
    ...(inChat?.reasoning ? [THOUGHTS_IN_TEXT] : []),
    ...(thinksUnasked ? ['reasoning: read if the upstream sends it; requests do not turn it on or off'] : []),
    ...(note ? [note] : []),
  ]
}
const THOUGHTS_IN_TEXT =
  'reasoning in `openai-chat`: in the text, between `<think>` tags; in other formats, and with `force_format`, it is separate'
