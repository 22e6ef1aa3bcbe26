import { Command } from 'commander'
import type { Cli } from '../../cli.ts'
import { showAll, type ViewFlags, withViewFlags } from '../../output/listing.ts'
import { limitQuery, type SubjectFlags, withSubject } from './subject.ts'

export function limitList(cli: Cli): Command {
  return withViewFlags(
    withSubject(new Command('list').description('List limits; without a role those of your own keys and account')),
  )
    .addHelpText('after', '\nExamples:\n  tollgate limit list\n  tollgate limit list --subject token --of 1')
    .action(async (flags: ViewFlags & SubjectFlags) => {
      const [{ toolkit, actor }, { LIMIT_COLUMNS }] = await Promise.all([cli.open(), import('../../columns/limit.ts')])
      const limits = await toolkit.limits.list(actor, await limitQuery(toolkit, actor, flags))
      await showAll(cli, flags, limits, {
        columns: LIMIT_COLUMNS,
        empty: cli.say`There are no limits. Set one: tollgate limit set user '*' --requests 60 --per minute`,
      })
    })
}
