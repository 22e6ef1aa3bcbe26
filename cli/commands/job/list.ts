import { Command } from 'commander'
import type { Cli } from '../../cli.ts'

export function jobList(cli: Cli): Command {
  return new Command('list')
    .description('List the regular work: how often, when it ran last, how that ended, and which process leads')
    .addHelpText('after', '\nExample:\n  tollgate job list')
    .action(async () => {
      const [{ toolkit, actor }, { JOB_COLUMNS }] = await Promise.all([cli.open(), import('../../columns/job.ts')])
      await cli.print(await toolkit.jobs.list(actor), {
        columns: JOB_COLUMNS,
        empty: 'No jobs yet: a running gateway brings them. Start one with: tollgate serve',
      })
    })
}
