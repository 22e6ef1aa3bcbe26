import { GatewayError } from '../../../core/errors.ts'

const NEWLINE = 0x0a
const CARRIAGE_RETURN = 0x0d

/** A non-blank line of a file. */
interface Line {
  /** The line number, from 1. Blank lines count too. */
  readonly number: number
  readonly bytes: Buffer
}

/**
 * Yields the lines of a stream without their line ends. Skips blank lines. Throws BATCH_LINE_INVALID for a line of more
 * than `lineBytesMax` bytes, to limit memory.
 */
export async function* splitLines(
  chunks: AsyncIterable<Buffer>,
  { lineBytesMax }: { lineBytesMax: number },
): AsyncGenerator<Line> {
  let number = 0
  let rest: Buffer[] = []
  let length = 0
  const endLine = (end: Buffer): Line | undefined => {
    const whole = rest.length === 0 ? end : Buffer.concat([...rest, end])
    rest = []
    length = 0
    number += 1
    const bytes = whole.at(-1) === CARRIAGE_RETURN ? whole.subarray(0, -1) : whole
    return isBlank(bytes) ? undefined : { number, bytes }
  }
  const checkLength = (bytes: number) => {
    if (length + bytes <= lineBytesMax) return
    const reason = `it is longer than ${lineBytesMax} bytes`
    throw new GatewayError('BATCH_LINE_INVALID', { line: number + 1, reason })
  }
  for await (const chunk of chunks) {
    let start = 0
    for (let end = chunk.indexOf(NEWLINE); end >= 0; end = chunk.indexOf(NEWLINE, start)) {
      checkLength(end - start)
      const line = endLine(chunk.subarray(start, end))
      start = end + 1
      if (line) yield line
    }
    if (start === chunk.length) continue
    checkLength(chunk.length - start)
    rest.push(chunk.subarray(start))
    length += chunk.length - start
  }
  const last = length > 0 ? endLine(Buffer.alloc(0)) : undefined
  if (last) yield last
}

function isBlank(bytes: Buffer): boolean {
  return bytes.length === 0 || (bytes.length < 64 && bytes.toString('latin1').trim() === '')
}
