import { input, password, select } from '@inquirer/prompts'

/** Questions on a terminal. They go to stderr: stdout is for data. */
export interface Prompts {
  input: typeof input
  password: typeof password
  select: typeof select
  /** Yes or no, by these words alone: an answer to another question is asked for again. */
  confirm(config: { message: string; default: boolean }): Promise<boolean>
}

export function terminalPrompts(streams: Streams): Prompts {
  return {
    input: (config) => answered(streams, (context) => input(config, context)),
    password: (config) => answered(streams, (context) => password(config, context)),
    select: (config) => answered(streams, (context) => select(config, context)),
    confirm: async (config) => {
      const answer = await answered(streams, (context) => input(yesOrNo(config), context))
      return answer === '' ? config.default : YES.test(answer)
    },
  }
}

const YES = /^\s*(y|yes|是)\s*$/i
const NO = /^\s*(n|no|否)\s*$/i

function yesOrNo({ message, default: usual }: { message: string; default: boolean }) {
  const choices = usual ? 'Y/n' : 'y/N'
  return {
    message: `${message} (${choices})`,
    validate: (text: string) => text === '' || YES.test(text) || NO.test(text) || 'y / n',
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
