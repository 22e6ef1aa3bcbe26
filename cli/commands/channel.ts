import { CHANNEL_STATUS, type Channel } from '../../core/channels/channel.ts'
import { CHANNEL_TYPES, findAnyType, parseChannelType } from '../../core/channels/types/types.ts'
import { GatewayError } from '../../core/errors.ts'
import { defined } from '../../core/records.ts'
import type { Cli } from '../cli.ts'
import { CHANNEL_COLUMNS } from '../columns/channel.ts'
import { EVENT_COLUMNS, TROUBLE_COLUMNS, troublesOf } from '../columns/channel-health.ts'
import { channelTagsOf, TAG_COLUMNS } from '../columns/channel-tag.ts'
import { displayedType, LISTED_COLUMNS, PRESET_COLUMNS, TYPE_COLUMNS } from '../columns/channel-type.ts'
import { usageError } from '../errors.ts'
import { positiveInt, positiveInts } from '../input/arguments.ts'
import { channelTypeNumber, unknownChannelType } from '../input/channel-type.ts'
import { numberOfLabel } from '../input/enum-labels.ts'
import { showAll, type ViewFlags, withViewFlags } from '../output/listing.ts'
import { type BulkFlags, withBulkFlags } from '../run/bulk.ts'
import {
  type CommandBuilder,
  listVerb,
  noun,
  pagedVerb,
  plainVerb,
  showVerb,
  verb,
  YES,
  type YesFlag,
} from '../run/verbs.ts'
import type { TextId } from '../texts.ts'
import { channelAdd } from './channel/add.ts'
import { channelBalance } from './channel/balance.ts'
import { findChannels, summarizeChannelNames } from './channel/find.ts'
import { channelModels } from './channel/models.ts'
import { channelTag } from './channel/tag.ts'
import { channelTest } from './channel/test.ts'
import { channelUpdate } from './channel/update.ts'

type PresetsOptions = { owners?: true } & ViewFlags

interface ListOptions {
  search?: string
  group?: string
  model?: string
  status?: string
  tag?: string
  type?: string
  order: 'priority' | 'id'
}

interface TagOptions {
  search?: string
  group?: string
  model?: string
}

const IDS = ['<id...>', 'channel.channelIDs', positiveInts] as const

export const channel = noun('channel', [
  channelAdd,
  pagedVerb({
    name: 'list',
    description: 'channel.listChannels',
    examples: [
      'tollgate channel list --model gpt-4o --status enabled',
      'tollgate channel list --all --columns id,name,used',
    ],
    syntax: (command) =>
      command
        .option('--search <text>', 'team.filterByPartOfTheName')
        .option('--group <name>', 'user.filterByGroup')
        .option('--model <name>', 'channel.filterByPartOfAModel')
        .option('--status <word>', 'channel.filterByStatus')
        .option('--tag <text>', 'channel.filterByTag')
        .option('--type <type>', 'channel.filterByProviderNameOrNumber')
        .choice('--order <word>', 'channel.sortByHighestPriority', ['priority', 'id'], 'priority'),
    columns: CHANNEL_COLUMNS,
    pages({ toolkit, actor }, { search, group, model, status, tag, type, order }: ListOptions) {
      const typeNumber = type === undefined ? undefined : channelTypeNumber(type)
      if (type !== undefined && typeNumber === undefined) throw unknownChannelType(type)
      const query = {
        ...defined({ group, model, tag, keyword: search, type: typeNumber }),
        ...(status !== undefined && { status: numberOfLabel(CHANNEL_STATUS, '--status', status) }),
        newestFirst: order === 'id',
      }
      return (paging) => toolkit.channels.list(actor, { ...query, ...paging })
    },
    empty: ({ t }) => t('channel.noChannels'),
  }),
  showVerb({
    name: 'get',
    description: 'channel.showAChannel',
    examples: ['tollgate channel get 1'],
    syntax: (command) => command.argument('<id>', 'channel.channelId', positiveInt),
    columns: CHANNEL_COLUMNS,
    record: ({ toolkit, actor }, id: number) => toolkit.channels.get(actor, id),
  }),
  channelUpdate,
  verb({
    name: 'copy',
    description: 'channel.copyAChannelWithItsKey',
    examples: ['tollgate channel copy 1 --name second'],
    syntax: (command) =>
      command
        .argument('<id>', 'channel.channelId', positiveInt)
        .option('--name <text>', 'channel.nameOfTheCopyDefault'),
    async run({ cli, toolkit, actor }, id: number, { name }: { name?: string }) {
      const copy = await toolkit.channels.copy(actor, id, name)
      cli.report(cli.t('channel.addedChannel', { id: copy.id, name: copy.name, original: id }), copy)
    },
  }),
  statusVerb('disable', 'channel.disableChannels', CHANNEL_STATUS.disabled, ({ t }, { id, name }) => {
    return t('channel.disabledChannel', { id, name })
  }),
  statusVerb('enable', 'channel.enableChannelsAndTheirDisabledKeys', CHANNEL_STATUS.enabled, ({ t }, { id, name }) => {
    return t('channel.enabledChannel', { id, name })
  }),
  verb({
    name: 'delete',
    description: 'channel.deleteChannelsPermanently',
    examples: ['tollgate channel delete 1 --yes'],
    syntax: (command) => withBulkFlags(command.argument(...IDS).option(...YES)),
    async run({ cli, toolkit, actor }, ids: number[], { yes, keepGoing }: BulkFlags & YesFlag) {
      const channels = await findChannels(cli, toolkit, actor, { ids, keepGoing })
      await cli.confirm(cli.t('pricing.delete', { names: summarizeChannelNames(cli, channels) }), { yes })
      const deleted = channels.map(({ id }) => id)
      await toolkit.channels.deleteMany(actor, deleted)
      cli.report(cli.t('token.deleted', { names: summarizeChannelNames(cli, channels) }), { deleted })
    },
  }),
  verb({
    name: 'prune',
    description: 'channel.deleteAllChannelsDisabledByHand',
    examples: ['tollgate channel prune --yes'],
    syntax: (command) => command.option(...YES),
    async run({ cli, toolkit, actor }, { yes }: YesFlag) {
      const { disabled, autoDisabled } = CHANNEL_STATUS
      const count = async (status: number) => (await toolkit.channels.list(actor, { status, pageSize: 1 })).total
      const [byHand, automatically] = [await count(disabled), await count(autoDisabled)]
      if (byHand + automatically === 0) return cli.report(cli.t('channel.noDisabledChannels'), { deleted: 0 })
      await cli.confirm(cli.t('channel.deleteChannelsDisabledByHand', { count: byHand, automatically }), { yes })
      const deleted = await toolkit.channels.deleteDisabled(actor)
      cli.report(cli.t('ui.deletedChannels', { count: deleted }), { deleted })
    },
  }),
  channelTest,
  channelBalance,
  channelModels,
  verb({
    name: 'health',
    description: 'channel.showUnhealthyChannels',
    examples: ['tollgate channel health 1'],
    syntax: (command) => command.argument('[id]', 'channel.channelId', positiveInt),
    async run({ cli, toolkit, actor }, id: number | undefined) {
      if (id === undefined) {
        const health = await toolkit.channels.health(actor)
        if (cli.json) return cli.writeJson(health)
        return cli.print(troublesOf(health), {
          columns: TROUBLE_COLUMNS,
          empty: cli.t('channel.allChannelsAreHealthy'),
        })
      }
      const health = await toolkit.channels.healthOf(actor, id)
      if (cli.json) return cli.writeJson(health)
      const disabled = health.disabled ? [health.disabled] : []
      const troubles = troublesOf({ circuits: health.circuits, disabled })
      await cli.print(troubles, { columns: TROUBLE_COLUMNS, empty: cli.t('channel.channelIsHealthy', { id }) })
      if (troubles.length && health.events.length) cli.write('')
      await cli.print(health.events, { columns: EVENT_COLUMNS, empty: cli.t('channel.noRecentEvents') })
    },
  }),
  listVerb({
    name: 'tags',
    description: 'channel.listTagsWithTheTotals',
    examples: ['tollgate channel tags'],
    syntax: (command) =>
      command
        .option('--search <text>', 'channel.filterByPartOfAChannel')
        .option('--group <name>', 'user.filterByGroup')
        .option('--model <text>', 'channel.filterByPartOfAModel'),
    columns: TAG_COLUMNS,
    async rows({ toolkit, actor }, { search = '', group = '', model = '' }: TagOptions) {
      return channelTagsOf(await toolkit.channels.search(actor, { keyword: search, group, model, byTag: true }))
    },
    empty: ({ t }) => t('channel.noTags'),
  }),
  channelTag,
  verb({
    name: 'fix',
    description: 'channel.rebuildTheAbilitiesTable',
    examples: ['tollgate channel fix'],
    async run({ cli, toolkit, actor }) {
      const result = await toolkit.channels.repair(actor)
      cli.report(cli.t('channel.checkedChannels', { count: result.channels, repaired: result.repaired }), result)
    },
  }),
  plainVerb({
    name: 'types',
    description: 'channel.listProviderTypesAndTheirKey',
    examples: ['tollgate channel types --columns word,key,models'],
    syntax: (command) =>
      withViewFlags(command.option('--hidden', 'channel.includeTypesNotIntendedForNew'), TYPE_COLUMNS),
    async run(cli, { hidden, ...flags }: ViewFlags & { hidden?: true }) {
      const types = CHANNEL_TYPES.filter((type) => hidden || !type.hidden)
        .map((type) => displayedType(type, cli.language))
        .sort((a, b) => a.name.localeCompare(b.name, 'en'))
      await showAll(cli, flags, types, { columns: TYPE_COLUMNS, empty: '' })
    },
  }),
  plainVerb({
    name: 'presets',
    description: 'channel.listBuiltInModelNames',
    examples: ['tollgate channel presets deepseek', 'tollgate channel presets --owners'],
    syntax: (command) =>
      withViewFlags(
        command
          .argument('[type]', 'channel.filterByProviderNameOrNumber')
          .option('--owners', 'channel.oneLinePerModel'),
        [...PRESET_COLUMNS, ...LISTED_COLUMNS],
      ),
    async run(cli, word: string | undefined, { owners, ...flags }: PresetsOptions) {
      if (owners && word !== undefined) throw usageError(cli.t('channel.passEitherATypeOrOwners'))
      const type = word === undefined ? undefined : parseChannelType(word)
      if (word !== undefined && !type) throw new GatewayError('CHANNEL_TYPE_UNKNOWN', { value: word })
      const { toolkit } = await cli.open()
      const empty = cli.t('channel.noBuiltInModelNames')
      if (owners) {
        const models = await toolkit.channelChecks.builtInModels()
        return showAll(cli, flags, models, { columns: LISTED_COLUMNS, empty })
      }
      const presets = Object.entries(await toolkit.channelChecks.presets())
        .filter(([number]) => !type || Number(number) === type.type)
        .map(([number, models]) => ({
          type: Number(number),
          name: findAnyType(Number(number))?.name ?? '',
          models: models.join(','),
        }))
      await showAll(cli, flags, presets, { columns: PRESET_COLUMNS, empty })
    },
  }),
])

/** Returns a verb that sets the status of channels. Prints `doneText` for each channel. */
function statusVerb(
  name: string,
  description: TextId,
  status: number,
  doneText: (cli: Cli, channel: Channel) => string,
): CommandBuilder {
  return verb({
    name,
    description,
    examples: [`tollgate channel ${name} 1`],
    syntax: (command) => withBulkFlags(command.argument(...IDS)),
    async run({ cli, toolkit, actor }, given: number[], { keepGoing }: BulkFlags) {
      const channels = await findChannels(cli, toolkit, actor, { ids: given, keepGoing })
      const ids = channels.map(({ id }) => id)
      await toolkit.channels.setStatusOfMany(actor, ids, status)
      const updatedChannels =
        (await cli.readBack(() => findChannels(cli, toolkit, actor, { ids }))) ??
        channels.map((channel) => ({ ...channel, status }))
      if (cli.json) return cli.writeJson(given.length === 1 ? updatedChannels[0] : updatedChannels)
      for (const channel of updatedChannels) cli.note(doneText(cli, channel))
    },
  })
}
