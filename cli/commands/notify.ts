import { Argument, Option } from 'commander'
import { GatewayError } from '../../core/errors.ts'
import { commaList } from '../../core/input.ts'
import {
  DELIVERY_STATES,
  type DeliveryState,
  NOTICE_EVENTS,
  NOTICE_KINDS,
  type NoticeKind,
} from '../../core/notices/notice.ts'
import {
  NOTICE_THRESHOLD_COLUMNS as columns,
  NOTICE_DELIVERY_COLUMNS,
  NOTICE_TARGET_COLUMNS,
} from '../columns/notice.ts'
import { EXIT, MissingFlag, usageError } from '../errors.ts'
import { pageLimit, positiveInt, wholeNumber } from '../input/arguments.ts'
import { listVerb, noun, plainVerb, verb, YES, type YesFlag } from '../run/verbs.ts'
import { teamOf } from '../teams.ts'
import { userIdOf } from '../users.ts'
import { eventsOf, settingsOf, type TargetFlags, withTargetFlags } from './notify/target-flags.ts'

type UpdateFlags = TargetFlags & { name?: string; enable?: true; disable?: true }

interface DeliveryFlags {
  gateway?: true
  target?: number
  state?: DeliveryState
  before?: number
  limit: number
}

interface ThresholdFlags {
  token?: number
  user?: string
  team?: string
  percents?: number[]
}

const GATEWAY = ['--gateway', 'targets of the gateway instead of yours; administrators only'] as const

const percent = wholeNumber({ min: 1, max: 100 })
const percents = (text: string): number[] => commaList(text).map(percent)

export const notify = noun('notify', [
  listVerb({
    name: 'list',
    description: 'List notice targets',
    examples: ['tollgate notify list', 'tollgate notify list --gateway'],
    syntax: (command) => command.option(...GATEWAY),
    columns: NOTICE_TARGET_COLUMNS,
    rows: ({ toolkit, actor }, { gateway }: { gateway?: true }) => toolkit.notices.list(actor, { gateway }),
    empty: ({ say }) =>
      say`No targets. Add one: tollgate notify add webhook ops --url https://… --events payment.completed`,
  }),
  plainVerb({
    name: 'add',
    description: 'Add a notice target',
    help: `Events: ${NOTICE_EVENTS.join(', ')}

Examples:
  tollgate notify add mail me --events balance.reached,sign-in.new
  tollgate notify add slack ops --gateway --url https://hooks.slack.com/services/… --events channel.disabled,job.failed`,
    syntax: (command) =>
      withTargetFlags(
        command
          .addArgument(new Argument('<kind>', 'delivery method').choices([...NOTICE_KINDS]))
          .argument('<name>', 'name, up to 64 characters')
          .option('--gateway', 'add it to the gateway instead of your account; root only'),
      ),
    async run(cli, kind: NoticeKind, name: string, flags: TargetFlags & { gateway?: true }) {
      const events = eventsOf(flags) ?? []
      // A target without events receives nothing.
      if (events.length === 0)
        throw new MissingFlag(
          cli.say`missing events: pass --events with at least one, such as --events balance.reached`,
        )
      const settings = await settingsOf(cli, flags)
      const { toolkit, actor } = await cli.open()
      const made = await toolkit.notices.create(actor, {
        kind,
        name,
        settings,
        events,
        ...(flags.language && { language: flags.language }),
        ...(flags.gateway && { gateway: true }),
      })
      cli.report(cli.say`Added target ${made.id}. Test it: tollgate notify test ${made.id}`, made)
    },
  }),
  plainVerb({
    name: 'update',
    description: 'Update a notice target; omitted options stay unchanged',
    example: 'tollgate notify update 1 --events payment.completed --language zh',
    syntax: (command) =>
      withTargetFlags(
        command
          .argument('<id>', 'target ID', positiveInt)
          .option('--name <name>', 'name, up to 64 characters')
          .option('--enable', 'enable deliveries to it')
          .option('--disable', 'disable deliveries to it'),
      ),
    async run(cli, id: number, flags: UpdateFlags) {
      const { name, language, enable, disable } = flags
      if (enable && disable) throw usageError(cli.say`pass either --enable or --disable, not both`)
      const settings = await settingsOf(cli, flags)
      const events = eventsOf(flags)
      const changes = {
        ...(name !== undefined && { name }),
        ...(Object.keys(settings).length > 0 && { settings }),
        ...(events !== undefined && { events }),
        ...(language !== undefined && { language }),
        ...((enable || disable) && { enabled: enable === true }),
      }
      if (Object.keys(changes).length === 0)
        throw usageError(cli.say`nothing to change: pass an option, such as --events`)
      const { toolkit, actor } = await cli.open()
      cli.report(cli.say`Updated target ${id}.`, await toolkit.notices.update(actor, id, changes))
    },
  }),
  verb({
    name: 'remove',
    description: 'Remove a notice target and its deliveries',
    example: 'tollgate notify remove 1 --yes',
    syntax: (command) => command.argument('<id>', 'target ID', positiveInt).option(...YES),
    async run({ cli, toolkit, actor }, id: number, { yes }: YesFlag) {
      await cli.confirm(cli.say`Remove target ${id} and its deliveries?`, { yes })
      cli.report(cli.say`Removed target ${id}.`, await toolkit.notices.delete(actor, id))
    },
  }),
  verb({
    name: 'test',
    description: 'Send a test notice to a target',
    example: 'tollgate notify test 1',
    syntax: (command) => command.argument('<id>', 'target ID', positiveInt),
    async run({ cli, toolkit, actor }, id: number) {
      const delivery = await toolkit.notices.test(actor, id)
      const { state, status, error } = delivery
      if (state === 'delivered') return cli.report(cli.say`Delivered the test notice.`, delivery)
      cli.exitCode = EXIT.failed
      cli.report(cli.say`Failed to deliver the test notice: ${status > 0 ? `${status} ` : ''}${error}`, delivery)
    },
  }),
  listVerb({
    name: 'deliveries',
    description: 'List notice deliveries, newest first',
    example: 'tollgate notify deliveries --gateway --state failed',
    syntax: (command) =>
      command
        .option(...GATEWAY)
        .option('--target <id>', 'filter by target', positiveInt)
        .addOption(new Option('--state <state>', 'filter by state').choices([...DELIVERY_STATES]))
        .option('--before <id>', 'only rows older than this one, for the next page', positiveInt)
        .option('--limit <n>', 'rows per page', pageLimit, 20),
    columns: NOTICE_DELIVERY_COLUMNS,
    rows: ({ toolkit, actor }, { gateway, target, state, before, limit }: DeliveryFlags) =>
      toolkit.notices.deliveries(actor, { gateway, target_id: target, state, before_id: before, page_size: limit }),
    empty: ({ say }) => say`No deliveries yet.`,
  }),
  verb({
    name: 'retry',
    description: 'Retry a failed or waiting delivery now',
    example: 'tollgate notify retry 1',
    syntax: (command) => command.argument('<id>', 'delivery ID', positiveInt),
    async run({ cli, toolkit, actor }, id: number) {
      const delivery = await toolkit.notices.retry(actor, id)
      cli.report(cli.say`Queued delivery ${id}: the gateway sends it within seconds.`, delivery)
    },
  }),
  verb({
    name: 'threshold',
    description: 'Show or set the usage percentages of a balance or a token that send a notice',
    examples: [
      'tollgate notify threshold',
      'tollgate notify threshold --percents 50,80,100',
      'tollgate notify threshold --token 1 --percents 90',
      'tollgate notify threshold --user ann --percents 80,100',
      'tollgate notify threshold --team lab --percents 50,100',
    ],
    syntax: (command) =>
      command
        .option('--token <id>', 'for the budget of this token instead of your balance', positiveInt)
        .addOption(new Option('--user <name|id>', 'user instead of you; administrators only').conflicts('team'))
        .option('--team <name|id>', 'team instead of you; its owner, its admins and administrators only')
        .option('--percents <list>', "such as 50,80,100; '' for none", percents),
    async run({ cli, toolkit, actor }, { token, user, team, percents }: ThresholdFlags) {
      if (token !== undefined && percents !== undefined && (user ?? team) !== undefined)
        throw usageError(cli.say`the ID of the token is enough: omit --user and --team`)
      let accountId = actor.id
      if (user !== undefined) accountId = await userIdOf(toolkit, actor, user)
      if (team !== undefined) {
        const { id, role } = await teamOf(toolkit, actor, team)
        // Members see only the thresholds of their keys.
        if (role === 'member' && token === undefined) throw new GatewayError('TEAM_ROLE', { role: 'admin' })
        accountId = id
      }
      if (percents === undefined) {
        const all = await toolkit.notices.thresholds(actor, accountId === actor.id ? {} : { user_id: accountId })
        const rows =
          token === undefined ? all : all.filter((row) => row.subject === 'token' && row.subject_id === token)
        return cli.print(rows, { columns, empty: cli.say`None set: notices are sent at 80% and 100%.` })
      }
      const subject = token === undefined ? 'user' : 'token'
      const set = await toolkit.notices.setThreshold(actor, { subject, subject_id: token ?? accountId, percents })
      cli.report(cli.say`Updated the thresholds.`, set)
    },
  }),
])
