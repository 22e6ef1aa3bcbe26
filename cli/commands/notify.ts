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
import { defined } from '../../core/records.ts'
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
import { eventsOfFlags, noticeSettingsOf, type TargetFlags, withTargetFlags } from './notify/target-flags.ts'

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

const GATEWAY = ['--gateway', 'notify.targetsOfTheGatewayInstead'] as const

const percent = wholeNumber({ min: 1, max: 100 })
const percents = (text: string): number[] => commaList(text).map(percent)

export const notify = noun('notify', [
  listVerb({
    name: 'list',
    description: 'notify.listNoticeTargets',
    examples: ['tollgate notify list', 'tollgate notify list --gateway'],
    syntax: (command) => command.option(...GATEWAY),
    columns: NOTICE_TARGET_COLUMNS,
    rows: ({ toolkit, actor }, { gateway }: { gateway?: true }) => toolkit.notices.list(actor, { gateway }),
    empty: ({ t }) => t('notify.noTargets'),
  }),
  plainVerb({
    name: 'add',
    description: 'notify.addANoticeTarget',
    examples: [
      'tollgate notify add mail me --events balance.reached,sign-in.new',
      'tollgate notify add slack ops --gateway --url https://hooks.slack.com/services/… --events channel.disabled,job.failed',
    ],
    syntax: (command) =>
      withTargetFlags(
        command
          .note('notify.events', { events: NOTICE_EVENTS.join(', ') })
          .addArgument(new Argument('<kind>', command.t('notify.deliveryMethod')).choices([...NOTICE_KINDS]))
          .argument('<name>', 'server.nameUpTo64Characters')
          .option('--gateway', 'notify.addItToTheGatewayInstead'),
      ),
    async run(cli, kind: NoticeKind, name: string, flags: TargetFlags & { gateway?: true }) {
      const events = eventsOfFlags(flags) ?? []
      // A target without events would receive no notices.
      if (events.length === 0) throw new MissingFlag(cli.t('notify.missingEvents'))
      const settings = await noticeSettingsOf(cli, flags)
      const { toolkit, actor } = await cli.open()
      const createdTarget = await toolkit.notices.create(actor, {
        kind,
        name,
        settings,
        events,
        ...(flags.language && { language: flags.language }),
        ...(flags.gateway && { gateway: true }),
      })
      cli.report(cli.t('notify.addedTarget', { id: createdTarget.id }), createdTarget)
    },
  }),
  plainVerb({
    name: 'update',
    description: 'notify.updateANoticeTarget',
    examples: ['tollgate notify update 1 --events payment.completed --language zh'],
    syntax: (command) =>
      withTargetFlags(
        command
          .argument('<id>', 'notify.targetId', positiveInt)
          .option('--name <name>', 'server.nameUpTo64Characters')
          .option('--enable', 'notify.enableDeliveriesToIt')
          .option('--disable', 'notify.disableDeliveriesToIt'),
      ),
    async run(cli, id: number, flags: UpdateFlags) {
      const { name, language, enable, disable } = flags
      if (enable && disable) throw usageError(cli.t('notify.passEitherEnableOrDisable'))
      const settings = await noticeSettingsOf(cli, flags)
      const events = eventsOfFlags(flags)
      const changes = {
        ...(name !== undefined && { name }),
        ...(Object.keys(settings).length > 0 && { settings }),
        ...defined({ events, language }),
        ...((enable || disable) && { enabled: enable === true }),
      }
      if (Object.keys(changes).length === 0) throw usageError(cli.t('notify.nothingToChange'))
      const { toolkit, actor } = await cli.open()
      cli.report(cli.t('notify.updatedTarget', { id }), await toolkit.notices.update(actor, id, changes))
    },
  }),
  verb({
    name: 'remove',
    description: 'notify.removeANoticeTarget',
    examples: ['tollgate notify remove 1 --yes'],
    syntax: (command) => command.argument('<id>', 'notify.targetId', positiveInt).option(...YES),
    async run({ cli, toolkit, actor }, id: number, { yes }: YesFlag) {
      await cli.confirm(cli.t('notify.removeTargetAndItsDeliveries', { id }), { yes })
      cli.report(cli.t('notify.removedTarget', { id }), await toolkit.notices.delete(actor, id))
    },
  }),
  verb({
    name: 'test',
    description: 'notify.sendATestNotice',
    examples: ['tollgate notify test 1'],
    syntax: (command) => command.argument('<id>', 'notify.targetId', positiveInt),
    async run({ cli, toolkit, actor }, id: number) {
      const delivery = await toolkit.notices.test(actor, id)
      const { state, status, error } = delivery
      if (state === 'delivered') return cli.report(cli.t('notify.deliveredTheTestNotice'), delivery)
      cli.exitCode = EXIT.failed
      cli.report(
        cli.t('notify.failedToDeliverTheTestNotice', { status: status > 0 ? `${status} ` : '', error }),
        delivery,
      )
    },
  }),
  listVerb({
    name: 'deliveries',
    description: 'notify.listNoticeDeliveries',
    examples: ['tollgate notify deliveries --gateway --state failed'],
    syntax: (command) =>
      command
        .option(...GATEWAY)
        .option('--target <id>', 'notify.filterByTarget', positiveInt)
        .choice('--state <state>', 'notify.filterByState', [...DELIVERY_STATES])
        .option('--before <id>', 'audit.onlyRowsOlder', positiveInt)
        .option('--limit <n>', 'list.rowsPerPage', pageLimit, 20),
    columns: NOTICE_DELIVERY_COLUMNS,
    rows: ({ toolkit, actor }, { gateway, target, state, before, limit }: DeliveryFlags) =>
      toolkit.notices.deliveries(actor, { gateway, target_id: target, state, before_id: before, page_size: limit }),
    empty: ({ t }) => t('notify.noDeliveriesYet'),
  }),
  verb({
    name: 'retry',
    description: 'notify.retryAFailedOrWaitingDelivery',
    examples: ['tollgate notify retry 1'],
    syntax: (command) => command.argument('<id>', 'notify.deliveryId', positiveInt),
    async run({ cli, toolkit, actor }, id: number) {
      const delivery = await toolkit.notices.retry(actor, id)
      cli.report(cli.t('notify.queuedDelivery', { id }), delivery)
    },
  }),
  verb({
    name: 'threshold',
    description: 'notify.showOrSetTheUsagePercentages',
    examples: [
      'tollgate notify threshold',
      'tollgate notify threshold --percents 50,80,100',
      'tollgate notify threshold --token 1 --percents 90',
      'tollgate notify threshold --user ann --percents 80,100',
      'tollgate notify threshold --team lab --percents 50,100',
    ],
    syntax: (command) =>
      command
        .option('--token <id>', 'notify.forTheBudgetOfThisToken', positiveInt)
        .addOption(new Option('--user <name|id>', command.t('notify.userInstead')).conflicts('team'))
        .option('--team <name|id>', 'notify.teamInstead')
        .option('--percents <list>', 'notify.thresholdExamples', percents),
    async run({ cli, toolkit, actor }, { token, user, team, percents }: ThresholdFlags) {
      if (token !== undefined && percents !== undefined && (user ?? team) !== undefined)
        throw usageError(cli.t('notify.theIdOfTheToken'))
      let accountId = actor.id
      if (user !== undefined) accountId = await userIdOf(toolkit, actor, user)
      if (team !== undefined) {
        const { id, role } = await teamOf(toolkit, actor, team)
        // Members may see only the thresholds of their own keys.
        if (role === 'member' && token === undefined) throw new GatewayError('TEAM_ROLE', { role: 'admin' })
        accountId = id
      }
      if (percents === undefined) {
        const all = await toolkit.notices.thresholds(actor, accountId === actor.id ? {} : { user_id: accountId })
        const rows =
          token === undefined ? all : all.filter((row) => row.subject === 'token' && row.subject_id === token)
        return cli.print(rows, { columns, empty: cli.t('notify.noneSet') })
      }
      const subject = token === undefined ? 'user' : 'token'
      const storedThreshold = await toolkit.notices.setThreshold(actor, {
        subject,
        subject_id: token ?? accountId,
        percents,
      })
      cli.report(cli.t('notify.updatedTheThresholds'), storedThreshold)
    },
  }),
])
