import type { Cli } from '../cli.ts'
import { Command } from '../command.ts'
import { CommandError } from '../errors.ts'
import { readProfiles, removeProfiles } from '../profiles.ts'

export function logout(cli: Cli): Command {
  return new Command('logout', cli)
    .argument('[profile]', 'server.profileNameDefaultTheOneInUse')
    .example('tollgate logout work')
    .action(async (given: string | undefined) => {
      const name = given ?? (await readProfiles({ env: cli.env, texts: cli })).current
      if (name === undefined) throw new CommandError('PROFILE_NOT_FOUND', cli.t('server.notSignedInToAnyServer'))
      await removeProfiles(cli, [name])
      cli.report(cli.t('server.removedProfile', { name }), { removed: [name] })
    })
}
