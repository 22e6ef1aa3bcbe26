import type { Cli } from '../cli.ts'
import { Command } from '../command.ts'

export function doctor(cli: Cli): Command {
  return new Command('doctor', cli).example('tollgate doctor').action(async () => {
    const { runDoctor } = await import('./doctor/run.ts')
    await runDoctor(cli)
  })
}
