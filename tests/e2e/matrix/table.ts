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

/** The document with its tables written anew; the words around them stay. */
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
  const notes = upstreams.flatMap(({ name, lacks = {}, inChat, note }) => {
    const reasons = new Map<string, string[]>()
    for (const [feature, reason] of Object.entries(lacks)) {
      reasons.set(reason, [...(reasons.get(reason) ?? []), feature])
    }
    const told = [...reasons].map(([reason, features]) => `${features.join(', ')}: ${reason}`)
    const thoughts = inChat?.reasoning
      ? ['reasoning: between `<think>` tags; other formats tell it apart, and so does `force_format`']
      : []
    const all = [...told, ...thoughts, ...(note ? [note] : [])]
    return all.length ? [`- ${name}: ${all.join('; ')}\n`] : []
  })
  return `### Notes\n\n${notes.join('')}`
}
