import { CsvError, type CsvLine, readCsv } from './csv.ts'

/** A longer line has an unclosed quote. */
const LINE_LENGTH_MAX = 1024 * 1024

/** Parses CSV from a stream with little memory. Throws CsvError like `readCsv`, and for lines over a million characters. */
export async function* streamCsv(chunks: AsyncIterable<string>): AsyncGenerator<CsvLine> {
  let rest = ''
  /** Position of the scan in `rest`, whether it is within quotes, and the end of the last complete line. */
  let at = 0
  let isQuoted = false
  let end = 0
  let before = 0

  function* whole(text: string): Generator<CsvLine> {
    try {
      for (const { line, cells } of readCsv(text)) yield { line: line + before, cells }
    } catch (error) {
      throw error instanceof CsvError ? new CsvError(error.line + before) : error
    }
    before += text.split('\n').length - 1
  }

  for await (const chunk of chunks) {
    rest += chunk
    // A carriage return at the end of a chunk may be half of a line break.
    for (; at < rest.length && !(rest[at] === '\r' && at === rest.length - 1); at++) {
      const character = rest[at]
      if (character === '"') isQuoted = !isQuoted
      else if (!isQuoted && (character === '\n' || (character === '\r' && rest[at + 1] !== '\n'))) end = at + 1
    }
    if (end > 0) {
      yield* whole(rest.slice(0, end))
      rest = rest.slice(end)
      at -= end
      end = 0
    }
    if (rest.length > LINE_LENGTH_MAX) throw new CsvError(before + 1)
  }
  yield* whole(rest)
}
