/** A line of a CSV file with its line number, from 1. */
export interface CsvLine {
  line: number
  cells: string[]
}

/** Parses CSV (RFC 4180): quoted cells may contain commas, doubled quotes and line breaks. Skips empty lines. */
export function readCsv(text: string): CsvLine[] {
  const lines: CsvLine[] = []
  let current: CsvLine = { line: 1, cells: [] }
  let line = 1
  // Each step matches one cell and its delimiter: a comma, a line break, or the end.
  const cell = /("(?:[^"]|"")*"|(?!")[^,\r\n]*)(,|\r?\n|\r|$)/gy
  while (cell.lastIndex <= text.length) {
    const [matchedText = '', value = '', end = ''] = cell.exec(text) ?? []
    if (matchedText === '' && cell.lastIndex < text.length) throw new CsvError(line)
    current.cells.push(value.startsWith('"') ? value.slice(1, -1).replaceAll('""', '"') : value)
    line += matchedText.split('\n').length - 1
    if (end === ',') continue
    if (current.cells.length > 1 || current.cells[0] !== '') lines.push(current)
    current = { line, cells: [] }
    if (end === '') break
  }
  return lines
}

/** Error for an unclosed quote, or for text after a closing quote. */
export class CsvError extends Error {
  constructor(readonly line: number) {
    super(`line ${line}`)
  }
}
