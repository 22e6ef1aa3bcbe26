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
    description: 'List limits; common users see those of their tokens and account',
    examples: ['tollgate limit list', 'tollgate limit list --subject token --of 1'],
    syntax: withSubject,
    check: checkSubject,
    columns: LIMIT_COLUMNS,
    rows: async (gateway, flags: SubjectFlags) =>
      gateway.toolkit.limits.list(gateway.actor, await limitQuery(gateway, flags)),
    empty: ({ say }) => say`No limits. Set one: tollgate limit set user '*' --requests 60 --per minute`,
  }),
  limitSet,
  verb({
    name: 'remove',
    description: 'Remove a limit',
    example: 'tollgate limit remove 1 --yes',
    syntax: (command) => command.argument('<id>', 'limit ID', positiveInt).option(...YES),
    async run({ cli, toolkit, actor }, id: number, { yes }: YesFlag) {
      await cli.confirm(cli.say`Remove limit ${id}?`, { yes })
      const removed = await toolkit.limits.remove(actor, id)
      cli.report(cli.say`Removed limit ${id}.`, removed)
    },
  }),
  verb({
    name: 'status',
    description: 'Show the usage of each limit',
    examples: [
      'tollgate limit status',
      'tollgate limit status --subject token --of 1',
      'tollgate limit status --learned',
    ],
    syntax: (command) =>
      withViewFlags(withSubject(command)).option(
        '--learned',
        'show limits that upstreams reported instead; administrators only',
      ),
    check(cli, { learned, ...flags }: StatusOptions) {
      checkSubject(cli, flags)
      if (learned && flags.subject !== undefined)
        throw usageError(cli.say`pass either --subject or --learned, not both`)
    },
    async run(gateway, { learned, ...flags }: StatusOptions) {
      const { cli, toolkit, actor } = gateway
      if (learned) {
        return showAll(cli, flags, await toolkit.limits.learned(actor), {
          columns: LEARNED_LIMIT_COLUMNS,
          empty: cli.say`No upstream has reported its limits yet.`,
        })
      }
      const status = await toolkit.limits.status(actor, await limitQuery(gateway, flags))
      await showAll(cli, flags, status, { columns: LIMIT_STATUS_COLUMNS, empty: cli.say`No limit applies.` })
    },
  }),
])
