import type { Usage } from '../../../core/pricing/prices.ts'
import type { ReplyEvent } from '../conversation/conversation.ts'
import type { Dialect, RelayError, ReplyContext } from '../dialects/dialect.ts'
import { openAiErrorEvent } from '../dialects/openai-error.ts'
import { isCompleted } from '../endpoints/reader.ts'
import type { Piece } from '../transport/pieces.ts'
import type { Outlet } from './deliver.ts'

/** A stream on its way to one client, in that client's dialect. */
export interface StreamOutlet extends Outlet {
  readonly contentType: string
  /** What was held back, and the end. `reported`: the upstream told that usage itself. */
  end(held: readonly Piece[], usage: Usage, reported: boolean): Buffer | string
  /** The error; each text is to be read by itself. */
  broken(error: RelayError): readonly string[]
}

/** The upstream speaks the client's dialect: its events go out as they came. */
export function passingOutlet(dialect: Dialect, context: ReplyContext): StreamOutlet {
  const passing = dialect.passing(context)
  const passed = ({ event }: Piece) => (event && passing.pass(event)) ?? ''
  const bytesOf = (pieces: readonly Piece[]) =>
    pieces.length === 1 ? passed(pieces[0] as Piece) : joined(pieces.map(passed))
  return {
    contentType: passing.contentType,
    ping: passing.ping ?? dialect.ping,
    write: bytesOf,
    isLast: ({ event }) => event !== undefined && event.repeats === undefined && passing.isLast(event),
    end: (held, usage, reported) => joined([bytesOf(held), passing.end(reported ? undefined : usage)]),
    broken: (error) => [
      passing.broken?.(error) ?? dialect.errorEvent(error, context),
      ...(dialect.errorAlone?.(error, context) ?? []),
    ],
  }
}

/** Events of an endpoint that is no conversation: they are everybody's, and nothing in them is ours. */
export function rawOutlet(dialect: Dialect): StreamOutlet {
  const bytesOf = (pieces: readonly Piece[]) => joined(pieces.flatMap(({ event }) => event?.bytes ?? []))
  return {
    contentType: 'text/event-stream; charset=utf-8',
    ping: dialect.ping,
    write: bytesOf,
    isLast: ({ event }) =>
      event !== undefined && (event.done || (event.chunk !== undefined && isCompleted(event.chunk))),
    end: bytesOf,
    broken: (error) => [openAiErrorEvent(error)],
  }
}

/** The reply is translated, step by step. */
export function writingOutlet(
  dialect: Dialect,
  context: ReplyContext,
  transform: (steps: readonly ReplyEvent[]) => readonly ReplyEvent[] = (steps) => steps,
): StreamOutlet {
  const writer = dialect.writer(context)
  const textOf = (pieces: readonly Piece[]) => {
    let text = ''
    for (const { steps } of pieces) for (const step of transform(steps)) text += writer.write(step)
    return text
  }
  return {
    contentType: writer.contentType,
    ping: writer.ping ?? dialect.ping,
    write: textOf,
    isLast: ({ steps }) => steps.some(({ kind }) => kind === 'end'),
    end: (held, usage) => textOf(held) + writer.end(usage),
    broken: (error) => [writer.broken(error), ...(dialect.errorAlone?.(error, context) ?? [])],
  }
}

/** One text, or the bytes; what arrived as neighbours is not copied. */
function joined(parts: readonly (Buffer | string)[]): Buffer | string {
  if (parts.every((part) => typeof part === 'string')) return parts.join('')
  const runs: Buffer[] = []
  let run: Buffer | undefined
  let length = 0
  const add = () => {
    if (run && length > 0) runs.push(length === run.length ? run : Buffer.from(run.buffer, run.byteOffset, length))
  }
  for (const part of parts) {
    const bytes = typeof part === 'string' ? Buffer.from(part) : part
    if (run && bytes.buffer === run.buffer && bytes.byteOffset === run.byteOffset + length) {
      length += bytes.length
    } else if (bytes.length > 0) {
      add()
      run = bytes
      length = bytes.length
    }
  }
  add()
  return runs.length === 1 ? (runs[0] as Buffer) : Buffer.concat(runs)
}
