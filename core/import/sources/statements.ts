import { createReadStream } from 'node:fs'

/** A statement of a dump without its semicolon, or one data line after `COPY … FROM stdin`. */
type DumpPart = { kind: 'statement'; text: string } | { kind: 'copied'; line: string }

const COPY = /^\s*COPY\s.*FROM\s+stdin$/is
const CHUNK_BYTES = 1 << 20

/** The position up to which a statement was scanned. */
interface Scan {
  /** Position of the first unscanned character. */
  at: number
  quote: string
}

/**
 * Splits an SQL dump into its statements and data lines while reading the file. In dumps of MySQL, backslashes escape
 * quotes. Throws if the file ends within a statement or data.
 */
export async function* readParts(file: string, isMysql: boolean): AsyncGenerator<DumpPart> {
  let text = ''
  let isCopying = false
  let scan: Scan = { at: 0, quote: '' }
  const stream = createReadStream(file, { encoding: 'utf8', highWaterMark: CHUNK_BYTES })
  for await (const chunk of stream) {
    text += chunk
    for (;;) {
      const part: ScannedPart | undefined = isCopying ? takeLine(text) : takeStatement(text, scan, isMysql)
      if (!part) break
      text = text.slice(part.end)
      scan = { at: 0, quote: '' }
      if (isCopying) {
        isCopying = part.text !== '\\.'
        if (isCopying) yield { kind: 'copied', line: part.text }
        continue
      }
      if (part.text.trim() !== '') yield { kind: 'statement', text: part.text.trim() }
      if (COPY.test(part.text)) {
        isCopying = true
        text = text.replace(/^[ \t]*\r?\n/, '')
      }
    }
  }
  if (isCopying) throw new Error('it ends within the data of a table: the dump is not complete')
  if (withoutComments(text).trim() !== '') throw new Error('it ends within a statement: the dump is not complete')
}

interface ScannedPart {
  text: string
  end: number
}

function takeLine(text: string): ScannedPart | undefined {
  const end = text.indexOf('\n')
  return end < 0 ? undefined : { text: text.slice(0, end).replace(/\r$/, ''), end: end + 1 }
}

const MARKS = /['"`;]|--[^\n]*(?:\n|$)|\/\*(?!!)(?:[\s\S]*?\*\/|[\s\S]*$)/g
const WHOLE_COMMENT = /(\n|\*\/)$/

/** Returns the first complete statement. `scan` keeps the position, so that a long statement is scanned only once. */
function takeStatement(text: string, scan: Scan, isMysql: boolean): ScannedPart | undefined {
  for (;;) {
    if (scan.quote !== '') {
      const end = endOfQuote(text, scan.at, { quote: scan.quote, isMysql })
      if (end < 0) return undefined
      scan.at = end
      scan.quote = ''
    }
    MARKS.lastIndex = scan.at
    const mark = MARKS.exec(text)
    if (!mark) return undefined
    const [word] = mark
    if (word === ';') return { text: withoutComments(text.slice(0, mark.index)), end: mark.index + 1 }
    // Wait for the end of a comment, because quotes in it do not count.
    if (word.length > 1 && !WHOLE_COMMENT.test(word)) return undefined
    scan.at = mark.index + word.length
    if (word.length === 1) scan.quote = word
  }
}

/**
 * Returns the position after the closing quote, or -1 if it has not been read yet. A doubled quote needs no special
 * case, because it ends one text and starts the next.
 */
function endOfQuote(text: string, from: number, { quote, isMysql }: { quote: string; isMysql: boolean }): number {
  for (let at = from; ; ) {
    const end = text.indexOf(quote, at)
    if (end < 0) return -1
    if (!isMysql || quote === '`' || !isEscaped(text, from, end)) return end + 1
    at = end + 1
  }
}

function isEscaped(text: string, from: number, at: number): boolean {
  let backslashes = 0
  while (at - 1 - backslashes >= from && text[at - 1 - backslashes] === '\\') backslashes++
  return backslashes % 2 === 1
}

/** Removes comments before the statement. Dumps have no comments within statements with data. */
function withoutComments(text: string): string {
  return text.replace(/^(\s*(--[^\n]*(\n|$)|\/\*(?!!)[\s\S]*?\*\/|\\[^\n]*(\n|$)))+/, '')
}
