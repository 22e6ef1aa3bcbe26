import { CsvError, type CsvLine, readCsv } from './csv.ts'

/** Maximum length of a line in characters. A longer line probably has an unclosed quote. */
const LINE_LENGTH_MAX = 1024 * 1024

/** Parses CSV from a stream. Throws CsvError like `readCsv`, and for lines over a million characters. */
export async function* streamCsv(chunks: AsyncIterable<string>): AsyncGenerator<CsvLine> {
  let remainingText = ''
  /** Position of the scan in the remaining text. */
  let at = 0
  /** Whether this position is within quotes. */
  let isQuoted = false
  /** End of the last complete line in the remaining text. */
  let end = 0
  /** Number of lines before the remaining text. */
  let linesBefore = 0

  function* parseLines(text: string): Generator<CsvLine> {
    try {
      for (const { line, cells } of readCsv(text)) yield { line: line + linesBefore, cells }
    } catch (error) {
      throw error instanceof CsvError ? new CsvError(error.line + linesBefore) : error
    }
    linesBefore += text.split('\n').length - 1
  }

  for await (const chunk of chunks) {
    remainingText += chunk
    // A carriage return at the end of a chunk may be half of a line break.
    for (; at < remainingText.length && !(remainingText[at] === '\r' && at === remainingText.length - 1); at++) {
      const character = remainingText[at]
      if (character === '"') isQuoted = !isQuoted
      else if (!isQuoted && (character === '\n' || (character === '\r' && remainingText[at + 1] !== '\n'))) end = at + 1
    }
    if (end > 0) {
      yield* parseLines(remainingText.slice(0, end))
      remainingText = remainingText.slice(end)
      at -= end
      end = 0
    }
    if (remainingText.length > LINE_LENGTH_MAX) throw new CsvError(linesBefore + 1)
  }
  yield* parseLines(remainingText)
}
