import type { Cli } from '../cli.ts'
import { Command } from '../command.ts'
import { portNumber } from '../input/arguments.ts'

interface Options {
  port?: number
  host: string
}

export function demo(cli: Cli): Command {
  return new Command('demo', cli)
    .option('--port <n>', 'run.portToListenOnDefault', portNumber)
    .option('--host <address>', 'setting.HOST', '127.0.0.1')
    .note('run.answersAreSimulatedAndFree')
    .listing('run.withPort3900AndItsApiTitle', [
      'tollgate init --channel-type openai --channel-base-url http://127.0.0.1:3900 --channel-models gpt-4o-mini --channel-key sk-…',
    ])
    .example('tollgate demo')
    .action(async ({ port, host }: Options) => {
      const { runDemo } = await import('./demo/run.ts')
      await runDemo(cli, { port, host })
    })
}
