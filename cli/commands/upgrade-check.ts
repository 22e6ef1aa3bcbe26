import type { Cli } from '../cli.ts'
import { Command } from '../command.ts'

export function upgradeCheck(cli: Cli): Command {
  return new Command('upgrade-check', cli)
    .note('doctor.runItFromTheNewVersion')
    .example('tollgate upgrade-check')
    .action(async () => {
      const { runUpgradeCheck } = await import('./upgrade-check/run.ts')
      await runUpgradeCheck(cli)
    })
}
