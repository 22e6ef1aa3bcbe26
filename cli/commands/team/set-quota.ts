import { Command } from 'commander'
import { QUOTA_MAX } from '../../../core/input.ts'
import type { Cli } from '../../cli.ts'
import { quotaAmount } from '../../output/dollars.ts'

export function teamSetQuota(cli: Cli): Command {
  return new Command('set-quota')
    .description('Set the balance of a team; for administrators')
    .argument('<name|id>', 'name or number of the team')
    .argument('<quota>', "the new balance, such as 500000 or '$1'", quotaAmount({ min: 0, max: QUOTA_MAX }))
    .addHelpText('after', '\nExample:\n  tollgate team set-quota lab 5000000')
    .action(async (nameOrId: string, wanted: number) => {
      const [{ toolkit, actor }, { teamOf }] = await Promise.all([cli.open(), import('../../teams.ts')])
      const { id, name } = await teamOf(toolkit, actor, nameOrId)
      const { quota } = await cli.format()
      await toolkit.teams.setQuota(actor, id, wanted)
      cli.report(cli.say`Team ${name} has ${quota(wanted)}.`, { id, quota: wanted })
    })
}
