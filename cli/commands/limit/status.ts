import { Command } from 'commander'
import type { Cli } from '../../cli.ts'
import { usageError } from '../../errors.ts'
import { showAll, type ViewFlags, withViewFlags } from '../../output/listing.ts'
import { limitQuery, type SubjectFlags, withSubject } from './subject.ts'

export function limitStatus(cli: Cli): Command {
  return withViewFlags(withSubject(new Command('status').description('Show how much of each limit is used')))
    .option('--learned', 'what upstreams have said of their own limits instead; for administrators')
    .addHelpText(
      'after',
      '\nExamples:\n  tollgate limit status\n  tollgate limit status --subject token --of 1\n  tollgate limit status --learned',
    )
    .action(async ({ learned, ...flags }: ViewFlags & SubjectFlags & { learned?: true }) => {
      if (learned && flags.subject !== undefined) {
        throw usageError(cli.say`give either --subject or --learned, not both`)
      }
      const [{ toolkit, actor }, { LIMIT_STATUS_COLUMNS, LEARNED_LIMIT_COLUMNS }] = await Promise.all([
        cli.open(),
        import('../../columns/limit.ts'),
      ])
      if (learned) {
        return showAll(cli, flags, await toolkit.limits.learned(actor), {
          columns: LEARNED_LIMIT_COLUMNS,
          empty: cli.say`No upstream has said anything of its limits yet.`,
        })
      }
      const status = await toolkit.limits.status(actor, await limitQuery(toolkit, actor, flags))
      await showAll(cli, flags, status, { columns: LIMIT_STATUS_COLUMNS, empty: cli.say`No limit applies.` })
    })
}
