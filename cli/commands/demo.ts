import { Command } from 'commander'
import { portNumber } from '../arguments.ts'
import type { Cli } from '../cli.ts'

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

Example:
  tollgate demo`,
    )
    .action(async ({ port, host }: Options) => {
      const { runDemo } = await import('./demo/run.ts')
      await runDemo(cli, { port, host })
    })
}
