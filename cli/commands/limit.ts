import { LEARNED_LIMIT_COLUMNS, LIMIT_COLUMNS, LIMIT_STATUS_COLUMNS } from '../columns/limit.ts'
import { usageError } from '../errors.ts'
import { positiveInt } from '../input/arguments.ts'
import { showAll, type ViewFlags, withViewFlags } from '../output/listing.ts'
import { listVerb, noun, verb, YES, type YesFlag } from '../run/verbs.ts'
import { limitSet } from './limit/set.ts'
import { checkSubject, limitQuery, type SubjectFlags, withSubject } from './limit/subject.ts'

type StatusOptions = ViewFlags & SubjectFlags & { learned?: true }

export const limit = noun('limit', [
  listVerb({
    name: 'list',
    description: 'limit.listLimits',
    examples: ['tollgate limit list', 'tollgate limit list --subject token --of 1'],
    syntax: withSubject,
    check: checkSubject,
    columns: LIMIT_COLUMNS,
    rows: async (gateway, flags: SubjectFlags) =>
      gateway.toolkit.limits.list(gateway.actor, await limitQuery(gateway, flags)),
    empty: ({ t }) => t('limit.noLimits'),
  }),
  limitSet,
  verb({
    name: 'remove',
    description: 'limit.removeALimit',
    examples: ['tollgate limit remove 1 --yes'],
    syntax: (command) => command.argument('<id>', 'limit.limitId', positiveInt).option(...YES),
    async run({ cli, toolkit, actor }, id: number, { yes }: YesFlag) {
      await cli.confirm(cli.t('limit.removeLimit', { id }), { yes })
      const removed = await toolkit.limits.remove(actor, id)
      cli.report(cli.t('limit.removedLimit', { id }), removed)
    },
  }),
  verb({
    name: 'status',
    description: 'limit.showTheUsageOfEachLimit',
    examples: [
      'tollgate limit status',
      'tollgate limit status --subject token --of 1',
      'tollgate limit status --learned',
    ],
    syntax: (command) =>
      withViewFlags(withSubject(command), [...LIMIT_STATUS_COLUMNS, ...LEARNED_LIMIT_COLUMNS]).option(
        '--learned',
        'limit.showLimitsThatUpstreamsReportedInstead',
      ),
    check(cli, { learned, ...flags }: StatusOptions) {
      checkSubject(cli, flags)
      if (learned && flags.subject !== undefined) throw usageError(cli.t('limit.passEitherSubjectOrLearned'))
    },
    async run(gateway, { learned, ...flags }: StatusOptions) {
      const { cli, toolkit, actor } = gateway
      if (learned) {
        return showAll(cli, flags, await toolkit.limits.learned(actor), {
          columns: LEARNED_LIMIT_COLUMNS,
          empty: cli.t('limit.noUpstreamHasReportedItsLimits'),
        })
      }
      const status = await toolkit.limits.status(actor, await limitQuery(gateway, flags))
      await showAll(cli, flags, status, { columns: LIMIT_STATUS_COLUMNS, empty: cli.t('limit.noLimitApplies') })
    },
  }),
])
