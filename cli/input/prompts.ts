import { input, password, select } from '@inquirer/prompts'

/** Terminal prompts on stderr; stdout is for data. */
export interface Prompts {
  input: typeof input
  password: typeof password
  select: typeof select
  /** Accepts only yes and no, and repeats the prompt for other input. */
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
 * Treats the end of input, such as Ctrl-D on an empty line, like Ctrl-C. The prompt library would wait forever, and the process
 * would exit as if it had succeeded. The library only pauses the input.
 */
function answered<T>(streams: Streams, ask: (context: Context) => Promise<T>): Promise<T> & { cancel: () => void } {
  const over = new AbortController()
  const cancel = () => over.abort()
  // An answer in the same tick comes first.
  const end = () => void setImmediate(cancel)
  const events = ['pause', 'end', 'close']
  for (const event of events) streams.input.on(event, end)
  const answer = ask({ ...streams, signal: over.signal }).finally(() => {
    for (const event of events) streams.input.off(event, end)
  })
  return Object.assign(answer, { cancel })
}
