import type { Usage } from '../../../core/pricing/prices.ts'
import { hasEnd } from '../attempt/open-reply.ts'
import type { ReplyEvent } from '../conversation/conversation.ts'
import type { Dialect, RelayError, ReplyContext } from '../dialects/dialect.ts'
import { openAiErrorEvent } from '../dialects/openai-error.ts'
import { isCompleted } from '../endpoints/reader.ts'
import type { StreamChunk } from '../transport/chunks.ts'
import type { StreamEvent } from '../transport/events.ts'
import type { ResponseWriter } from './deliver.ts'

/** Writes a stream for one client in the client's dialect. */
export interface StreamWriter extends ResponseWriter {
  readonly contentType: string
  /**
   * Returns the end of the stream, with the output for the chunks that waited for the charge. `reported` states whether
   * the upstream reported the usage.
   */
  end(pendingTail: readonly StreamChunk[], usage: Usage, reported: boolean): Buffer | string
  /**
   * Returns the texts that report an error in a stream. The caller must send each text separately, so that the client
   * gets each text in a separate read.
   */
  broken(error: RelayError): readonly string[]
}

/** Returns the writer for an upstream that uses the client's dialect. It forwards most events unchanged. */
export function forwardingWriter(dialect: Dialect, context: ReplyContext): StreamWriter {
  const forwarder = dialect.forwarder(context)
  const forwardOne = (event: StreamEvent) => forwarder.forward(event) ?? ''
  const forward = ({ event }: StreamChunk): Buffer | string => {
    if (!event?.split) return event ? forwardOne(event) : ''
    const outputs: (Buffer | string)[] = []
    let rest: StreamEvent | undefined = event
    while (rest?.split && !forwarder.keepsBytes?.(rest)) {
      const [first, others]: [StreamEvent, StreamEvent | undefined] = rest.split()
      outputs.push(forwardOne(first))
      rest = others
    }
    if (rest) outputs.push(rest.bytes)
    return outputs.length === 1 ? (outputs[0] as Buffer | string) : joinOutputs(outputs)
  }
  const bytesOf = (chunks: readonly StreamChunk[]) =>
    chunks.length === 1 ? forward(chunks[0] as StreamChunk) : joinOutputs(chunks.map(forward))
  return {
    contentType: forwarder.contentType,
    ping: forwarder.ping ?? dialect.ping,
    write: bytesOf,
    isLast: ({ event }) => event !== undefined && event.repeats === undefined && forwarder.isLast(event),
    end: (pendingTail, usage, reported) =>
      joinOutputs([bytesOf(pendingTail), forwarder.end(reported ? undefined : usage)]),
    broken: (error) => [
      forwarder.broken?.(error) ?? dialect.errorEvent(error, context),
      ...(dialect.trailingErrorChunks?.(error, context) ?? []),
    ],
  }
}

/** Returns the writer for operations other than `chat`. It forwards all events unchanged. */
export function rawWriter(dialect: Dialect): StreamWriter {
  const bytesOf = (chunks: readonly StreamChunk[]) => joinOutputs(chunks.flatMap(({ event }) => event?.bytes ?? []))
  return {
    contentType: 'text/event-stream; charset=utf-8',
    ping: dialect.ping,
    write: bytesOf,
    isLast: ({ event }) =>
      event !== undefined && (event.done || (event.payload !== undefined && isCompleted(event.payload))),
    end: bytesOf,
    broken: (error) => [openAiErrorEvent(error)],
  }
}

/**
 * Returns the writer for an upstream with another format. It passes the events through `transform`, then writes them in
 * the client's dialect.
 */
export function translatingWriter(
  dialect: Dialect,
  context: ReplyContext,
  transform: (events: readonly ReplyEvent[]) => readonly ReplyEvent[] = (events) => events,
): StreamWriter {
  const writer = dialect.writer(context)
  const write = (chunks: readonly StreamChunk[]) => {
    let text = ''
    for (const { events } of chunks) for (const step of transform(events)) text += writer.write(step)
    return text
  }
  return {
    contentType: writer.contentType,
    ping: writer.ping ?? dialect.ping,
    write,
    isLast: hasEnd,
    end: (pendingTail, usage) => write(pendingTail) + writer.end(usage),
    broken: (error) => [writer.interrupted(error), ...(dialect.trailingErrorChunks?.(error, context) ?? [])],
  }
}

/** Joins outputs. Does not copy bytes if all parts are adjacent in one buffer. */
function joinOutputs(parts: readonly (Buffer | string)[]): Buffer | string {
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
