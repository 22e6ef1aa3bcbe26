import { Command } from 'commander'
import type { Cli } from '../cli.ts'
import { portNumber } from '../input/arguments.ts'

interface Options {
  port?: number
  host: string
}

export function demo(cli: Cli): Command {
  return new Command('demo')
    .option('--port <n>', 'port to listen on (default: 3000, or any free one)', portNumber)
    .option('--host <address>', 'address to listen on', '127.0.0.1')
    .addHelpText(
      'after',
      `
Its answers are simulated and cost nothing; no request leaves this machine.
It ends with Ctrl-C, and nothing of it remains.

With --port 3900 and its API key it is the provider of a gateway of your own:
  tollgate init --channel-type openai --channel-base-url http://127.0.0.1:3900 --channel-models gpt-4o-mini --channel-key sk-…

Example:
  tollgate demo`,
    )
    .action(async ({ port, host }: Options) => {
      const { runDemo } = await import('./demo/run.ts')
      await runDemo(cli, { port, host })
    })
}
