import { Command } from 'commander'
import type { Cli } from '../../cli.ts'
import { warnEnvOverride } from './env-override.ts'

export function profileUse(cli: Cli): Command {
  return new Command('use')
    .description('Make commands be for this server from now on')
    .argument('<name>', 'name of a profile; local is the database on this machine')
    .addHelpText('after', '\nExamples:\n  tollgate profile use local')
    .action(async (name: string) => {
      const { changeProfiles, getProfile, LOCAL } = await import('../../profiles.ts')
      await changeProfiles({ env: cli.env, texts: cli }, ({ current: _, ...known }) => {
        if (name === LOCAL) return known
        getProfile(known, name, cli)
        return { ...known, current: name }
      })
      cli.report(cli.say`Commands are for ${name} now.`, { current: name })
      warnEnvOverride(cli)
    })
}
