import { Command } from 'commander'
import { LOG_TYPE } from '../../../core/logs/log.ts'
import type { Cli } from '../../cli.ts'
import { type ListFlags, showList, withListFlags } from '../../output/listing.ts'

interface Options extends ListFlags {
  member?: string
  requests?: true
}

export function teamLogs(cli: Cli): Command {
  const command = new Command('logs')
    .description('List what a team has used: your own requests, for owner and admins all')
    .argument('<name|id>', 'name or number of the team')
    .option('--member <name|id>', 'only requests with the keys of this member')
    .option('--requests', 'only requests that were charged')
  return withListFlags(command)
    .addHelpText('after', '\nExample:\n  tollgate team logs lab --requests')
    .action(async (nameOrId: string, { member, requests, ...flags }: Options) => {
      const [{ toolkit, actor }, { teamOf, memberOf }, { LOG_COLUMNS }] = await Promise.all([
        cli.open(),
        import('../../teams.ts'),
        import('../../columns/log.ts'),
      ])
      const team = await teamOf(toolkit, actor, nameOrId)
      const filter = {
        ...(member !== undefined && { memberId: (await memberOf(toolkit, actor, { team, member })).user_id }),
        ...(requests && { type: LOG_TYPE.consumption }),
      }
      await showList(cli, flags, async (paging) => toolkit.teams.usage.logs(actor, team.id, { ...filter, ...paging }), {
        columns: LOG_COLUMNS,
        empty: cli.say`No log rows.`,
      })
    })
}
