import { Command } from 'commander'
import type { Cli } from '../cli.ts'

export function doctor(cli: Cli): Command {
  return new Command('doctor').addHelpText('after', '\nExample:\n  tollgate doctor').action(async () => {
    const { runDoctor } = await import('./doctor/run.ts')
    await runDoctor(cli)
  })
}
