import { Command } from 'commander'
import type { Cli } from '../../cli.ts'
import { type ListFlags, showAll, withViewFlags } from '../../output/listing.ts'

export function jobList(cli: Cli): Command {
  const command = new Command('list').description(
    'List the regular work: how often, when it ran last, how that ended, and which process leads',
  )
  return withViewFlags(command)
    .addHelpText('after', '\nExample:\n  tollgate job list')
    .action(async (flags: Pick<ListFlags, 'columns' | 'sort' | 'output'>) => {
      const [{ toolkit, actor }, { JOB_COLUMNS }] = await Promise.all([cli.open(), import('../../columns/job.ts')])
      await showAll(cli, flags, await toolkit.jobs.list(actor), {
        columns: JOB_COLUMNS,
        empty: cli.say`No jobs yet: a running gateway brings them. Start one with: tollgate serve`,
      })
    })
}
