import { confirm, input, password, select } from '@inquirer/prompts'

/** Questions on a terminal. They go to stderr: stdout is for data. */
export interface Prompts {
  input: typeof input
  password: typeof password
  select: typeof select
  confirm: typeof confirm
}

export function terminalPrompts(streams: Streams): Prompts {
  return {
    input: (config) => answered(streams, (context) => input(config, context)),
    password: (config) => answered(streams, (context) => password(config, context)),
    select: (config) => answered(streams, (context) => select(config, context)),
    confirm: (config) => answered(streams, (context) => confirm(config, context)),
  }
}

interface Streams {
  input: NodeJS.ReadableStream
  output: NodeJS.WritableStream
}
type Context = Streams & { signal: AbortSignal }

/**
 * The end of input, such as Ctrl-D on an empty line, is no answer: it throws as Ctrl-C does. The prompts themselves would wait for
 * ever, and the process end as if all were done; what is seen of it from outside is that nobody reads the input any more.
 */
function answered<T>(streams: Streams, ask: (context: Context) => Promise<T>): Promise<T> & { cancel: () => void } {
  const over = new AbortController()
  const cancel = () => over.abort()
  // An answer that was given just now comes first.
  const end = () => void setImmediate(cancel)
  const events = ['pause', 'end', 'close']
  for (const event of events) streams.input.on(event, end)
  const answer = ask({ ...streams, signal: over.signal }).finally(() => {
    for (const event of events) streams.input.off(event, end)
  })
  return Object.assign(answer, { cancel })
}
