import type { Actor } from '../../../core/actor.ts'
import { CHANNEL_STATUS } from '../../../core/channels/channel.ts'
import type { TagChanges } from '../../../core/channels/tags.ts'
import { GatewayError } from '../../../core/errors.ts'
import type { Cli } from '../../cli.ts'
import type { Command } from '../../command.ts'
import { usageError } from '../../errors.ts'
import { channelPriority, channelWeight, positiveInts } from '../../input/arguments.ts'
import { textOrFile } from '../../input/input-file.ts'
import { type BulkFlags, withBulkFlags } from '../../run/bulk.ts'
import { type CommandBuilder, noun, plainVerb, verb } from '../../run/verbs.ts'
import type { TextId } from '../../texts.ts'
import type { CommandToolkit } from '../../toolkit.ts'
import { findChannels } from './find.ts'

interface EditOptions {
  newTag?: string
  models?: string
  groups?: string
  modelMapping?: string
  priority?: number
  weight?: number
}

const TAG = ['<tag>', 'channel.fullTag'] as const
const IDS = ['<id...>', 'channel.channelIDs', positiveInts] as const

const verbs = noun('tag', [
  plainVerb({
    name: 'edit',
    description: 'channel.updateAllChannelsOfATag',
    examples: ['tollgate channel tag edit spare --priority -1'],
    syntax: (command) =>
      command
        .argument(...TAG)
        .option('--new-tag <text>', 'channel.newTagEmpty')
        .option('--models <list>', 'channel.modelsToServe')
        .option('--groups <list>', 'channel.userGroupsToServeSeparated')
        .option('--model-mapping <json|@file>', 'channel.mapModelNamesToUpstreamNamesNone')
        .option('--priority <n>', 'channel.higherPriorityIsUsedFirst', channelPriority)
        .option('--weight <n>', 'channel.weight', channelWeight),
    async run(cli, tag: string, options: EditOptions) {
      const changes = await changesOf(cli, options)
      const { toolkit, actor } = await cli.open()
      const channels = await countTagged(toolkit, actor, tag)
      await toolkit.channels.updateTag(actor, tag, changes)
      cli.report(cli.t('channel.updatedChannelsWithTheTag', { count: channels, tag }), {
        tag: changes.new_tag ?? tag,
        channels,
      })
    },
  }),
  statusVerb('disable', 'channel.disableAllChannelsOfATag', ({ t }, count, tag) => {
    return t('channel.disabledChannelsWithTheTag', { count, tag })
  }),
  statusVerb('enable', 'channel.enableAllChannelsOfATag', ({ t }, count, tag) => {
    return t('channel.enabledChannelsWithTheTag', { count, tag })
  }),
  verb({
    name: 'set',
    description: 'channel.setTheTagOfChannels',
    examples: ['tollgate channel tag set spare 1'],
    syntax: (command) => withBulkFlags(command.argument('<tag>', 'channel.tag').argument(...IDS)),
    check({ t }, tag: string, _ids: number[], _flags: BulkFlags) {
      if (tag.trim() === '') throw usageError(t('channel.theTagIsEmpty'))
    },
    async run({ cli, toolkit, actor }, tag: string, given: number[], { keepGoing }: BulkFlags) {
      const ids = (await findChannels(cli, toolkit, actor, { ids: given, keepGoing })).map(({ id }) => id)
      await toolkit.channels.tagChannels(actor, ids, tag)
      cli.report(cli.t('channel.taggedChannels', { count: ids.length, tag }), { tag: tag.trim(), ids })
    },
  }),
  verb({
    name: 'unset',
    description: 'channel.removeTheTagsOfChannels',
    examples: ['tollgate channel tag unset 1'],
    syntax: (command) => withBulkFlags(command.argument(...IDS)),
    async run({ cli, toolkit, actor }, given: number[], { keepGoing }: BulkFlags) {
      const ids = (await findChannels(cli, toolkit, actor, { ids: given, keepGoing })).map(({ id }) => id)
      await toolkit.channels.tagChannels(actor, ids, null)
      cli.report(cli.t('ui.removedTheTagsOfChannels', { count: ids.length }), { tag: null, ids })
    },
  }),
])

export const channelTag = (cli: Cli): Command =>
  verbs(cli).description('channel.tagChannels').example('tollgate channel tag set spare 1')

/** Returns a verb that enables or disables all channels of a tag. */
function statusVerb(
  name: 'enable' | 'disable',
  description: TextId,
  doneText: (cli: Cli, count: number, tag: string) => string,
): CommandBuilder {
  const status = name === 'enable' ? CHANNEL_STATUS.enabled : CHANNEL_STATUS.disabled
  return verb({
    name,
    description,
    examples: [`tollgate channel tag ${name} spare`],
    syntax: (command) => command.argument(...TAG),
    async run({ cli, toolkit, actor }, tag: string) {
      const channels = await countTagged(toolkit, actor, tag)
      await toolkit.channels.setTagStatus(actor, tag, status)
      cli.report(doneText(cli, channels, tag), { tag, channels })
    },
  })
}

/** Returns the number of channels with the tag. If there are none, the tag may be mistyped: throws TAG_UNKNOWN. */
async function countTagged({ channels }: CommandToolkit, actor: Actor, tag: string): Promise<number> {
  const { total } = tag === '' ? { total: 0 } : await channels.list(actor, { tag, pageSize: 1 })
  if (total === 0) throw new GatewayError('TAG_UNKNOWN', { tag })
  return total
}

async function changesOf(cli: Cli, { newTag, modelMapping, ...fields }: EditOptions): Promise<TagChanges> {
  const changes = {
    ...fields,
    ...(newTag !== undefined && { new_tag: newTag.trim() }),
    ...(modelMapping !== undefined && { model_mapping: await textOrFile(cli, modelMapping) }),
  }
  if (Object.keys(changes).length === 0) throw usageError(cli.t('channel.nothingToChange'))
  // Core would silently ignore empty texts.
  for (const [flag, value] of [
    ['--models', changes.models],
    ['--groups', changes.groups],
    ['--model-mapping', changes.model_mapping],
  ] as const) {
    if (value?.trim() === '') throw usageError(cli.t('channel.mustNotBeEmpty', { flag }))
  }
  return changes
}
