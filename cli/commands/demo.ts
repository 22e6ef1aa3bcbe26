import { Command } from 'commander'
import type { Cli } from '../cli.ts'
import { portNumber } from '../input/arguments.ts'

interface Options {
  port?: number
  host: string
}

export function demo(cli: Cli): Command {
  return new Command('demo')
    .option('--port <n>', 'port to listen on (default: 3000, or any free port)', portNumber)
    .option('--host <address>', 'address to listen on', '127.0.0.1')
    .addHelpText(
      'after',
      `
Answers are simulated and free; no request leaves this machine. Ctrl-C ends it and deletes its data.

With --port 3900 and its API key, it can be the provider of your own gateway:
  tollgate init --channel-type openai --channel-base-url http://127.0.0.1:3900 --channel-models gpt-4o-mini --channel-key sk-…

Example:
  tollgate demo`,
    )
    .action(async ({ port, host }: Options) => {
      const { runDemo } = await import('./demo/run.ts')
      await runDemo(cli, { port, host })
    })
}
