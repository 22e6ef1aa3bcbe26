import { Command } from 'commander'
import type { Cli } from '../cli.ts'

export function upgradeCheck(cli: Cli): Command {
  return new Command('upgrade-check')
    .addHelpText(
      'after',
      `
Run it from the new version, unpacked beside the running one, with the same settings. Exit code 1 if something must be done first.

Example:
  tollgate upgrade-check`,
    )
    .action(async () => {
      const { runUpgradeCheck } = await import('./upgrade-check/run.ts')
      await runUpgradeCheck(cli)
    })
}
