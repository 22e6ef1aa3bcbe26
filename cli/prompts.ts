import { confirm, input, password, select } from '@inquirer/prompts'

/** Questions on a terminal. They go to stderr: stdout is for data. */
export interface Prompts {
  input: typeof input
  password: typeof password
  select: typeof select
  confirm: typeof confirm
}

export function terminalPrompts(streams: { input: NodeJS.ReadableStream; output: NodeJS.WritableStream }): Prompts {
  return {
    input: (config) => input(config, streams),
    password: (config) => password(config, streams),
    select: (config) => select(config, streams),
    confirm: (config) => confirm(config, streams),
  }
}
