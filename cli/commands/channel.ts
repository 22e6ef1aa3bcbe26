import { CHANNEL_STATUS, type Channel } from '../../core/channels/channel.ts'
import { CHANNEL_TYPES, findAnyType, parseChannelType } from '../../core/channels/types/types.ts'
import { GatewayError } from '../../core/errors.ts'
import { defined } from '../../core/records.ts'
import { CHANNEL_COLUMNS } from '../columns/channel.ts'
import { EVENT_COLUMNS, TROUBLE_COLUMNS, troublesOf } from '../columns/channel-health.ts'
import { channelTagsOf, TAG_COLUMNS } from '../columns/channel-tag.ts'
import { displayedType, TYPE_COLUMNS } from '../columns/channel-type.ts'
import { LISTED_COLUMNS, PRESET_COLUMNS } from '../columns/preset.ts'
import { usageError } from '../errors.ts'
import { positiveInt, positiveInts } from '../input/arguments.ts'
import { unknownChannelType } from '../input/channel-type-suggestion.ts'
import { numberOfLabel } from '../input/enum-labels.ts'
import { type ListFlags, showAll, type ViewFlags, withViewFlags } from '../output/listing.ts'
import { type BulkFlags, withBulkFlags } from '../run/bulk.ts'
import {
  listVerb,
  noun,
  pagedVerb,
  plainVerb,
  showVerb,
  type VerbTarget,
  verb,
  YES,
  type YesFlag,
} from '../run/verbs.ts'
import { channelAdd } from './channel/add.ts'
import { channelBalance } from './channel/balance.ts'
import { findChannels, summarizeChannelNames } from './channel/find.ts'
import { channelModels } from './channel/models.ts'
import { channelTag } from './channel/tag.ts'
import { channelTest } from './channel/test.ts'
import { channelUpdate } from './channel/update.ts'

type PresetsOptions = { owners?: true } & Pick<ListFlags, 'columns' | 'sort' | 'output'>

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
      const query = {
        ...defined({ group, model, tag, keyword: search }),
        ...(type !== undefined && { type: typeNumber(type) }),
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
  verb({
    name: 'disable',
    description: 'channel.disableChannels',
    examples: ['tollgate channel disable 1'],
    syntax: (command) => withBulkFlags(command.argument(...IDS)),
    async run(gateway, ids: number[], flags: BulkFlags) {
      const channels = await setStatus(gateway, CHANNEL_STATUS.disabled, ids, flags)
      const { cli } = gateway
      if (!cli.json) for (const { id, name } of channels) cli.note(cli.t('channel.disabledChannel', { id, name }))
    },
  }),
  verb({
    name: 'enable',
    description: 'channel.enableChannelsAndTheirDisabledKeys',
    examples: ['tollgate channel enable 1'],
    syntax: (command) => withBulkFlags(command.argument(...IDS)),
    async run(gateway, ids: number[], flags: BulkFlags) {
      const channels = await setStatus(gateway, CHANNEL_STATUS.enabled, ids, flags)
      const { cli } = gateway
      if (!cli.json) for (const { id, name } of channels) cli.note(cli.t('channel.enabledChannel', { id, name }))
    },
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

/** Returns the number of a channel type. Also accepts any number, because stored channels may have a retired type. */
function typeNumber(word: string): number {
  const number = parseChannelType(word)?.type ?? (/^\d{1,9}$/.test(word) ? Number(word) : undefined)
  if (number === undefined) throw unknownChannelType(word)
  return number
}

/** Changes the status of channels and returns the channels. With --json, prints the channels. */
async function setStatus(
  { cli, toolkit, actor }: VerbTarget,
  status: number,
  ids: readonly number[],
  { keepGoing }: BulkFlags,
): Promise<Channel[]> {
  const channels = await findChannels(cli, toolkit, actor, { ids, keepGoing })
  const foundIds = channels.map(({ id }) => id)
  await toolkit.channels.setStatusOfMany(actor, foundIds, status)
  const updatedChannels =
    (await cli.readBack(() => findChannels(cli, toolkit, actor, { ids: foundIds }))) ??
    channels.map((channel) => ({ ...channel, status }))
  if (cli.json) cli.writeJson(ids.length === 1 ? updatedChannels[0] : updatedChannels)
  return updatedChannels
}
