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
    input: (config) => promptUntilEnd(streams, (context) => input(config, context)),
    password: (config) => promptUntilEnd(streams, (context) => password(config, context)),
    select: (config) => promptUntilEnd(streams, (context) => select(config, context)),
    confirm: async (config) => {
      const answer = await promptUntilEnd(streams, (context) => input(yesOrNo(config), context))
      return answer === '' ? config.default : YES.test(answer)
    },
  }
}

const YES = /^\s*(y|yes|是)\s*$/i
const NO = /^\s*(n|no|否)\s*$/i

function yesOrNo({ message, default: isYesDefault }: { message: string; default: boolean }) {
  const choices = isYesDefault ? 'Y/n' : 'y/N'
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
 * Shows a prompt. Treats the end of input, such as Ctrl-D on an empty line, like Ctrl-C. At the end of input, the
 * prompt library only pauses the input: the prompt would wait forever, and the process would exit as if it had
 * succeeded.
 */
function promptUntilEnd<T>(
  streams: Streams,
  ask: (context: Context) => Promise<T>,
): Promise<T> & { cancel: () => void } {
  const controller = new AbortController()
  const cancel = () => controller.abort()
  // The prompt is canceled in a later tick, so that an answer in this tick is not lost.
  const end = () => void setImmediate(cancel)
  const events = ['pause', 'end', 'close']
  for (const event of events) streams.input.on(event, end)
  const answer = ask({ ...streams, signal: controller.signal }).finally(() => {
    for (const event of events) streams.input.off(event, end)
  })
  return Object.assign(answer, { cancel })
}
