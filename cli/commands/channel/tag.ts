import type { Command } from 'commander'
import type { Actor } from '../../../core/actor.ts'
import { CHANNEL_STATUS } from '../../../core/channels/channel.ts'
import type { TagChanges } from '../../../core/channels/tags.ts'
import { GatewayError } from '../../../core/errors.ts'
import type { Cli } from '../../cli.ts'
import { usageError } from '../../errors.ts'
import { positiveInts, wholeNumber } from '../../input/arguments.ts'
import { counted } from '../../input/enum-labels.ts'
import { textOrFile } from '../../input/input-file.ts'
import { type BulkFlags, withBulkFlags } from '../../run/bulk.ts'
import { noun, plainVerb, verb } from '../../run/verbs.ts'
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
const priority = wholeNumber({ min: -999, max: 2 ** 31 - 1 })
const weight = wholeNumber({ min: 0, max: 2 ** 31 - 1 })

const TAG = ['<tag>', 'full tag'] as const
const IDS = ['<id...>', 'channel IDs', positiveInts] as const

const verbs = noun('tag', [
  plainVerb({
    name: 'edit',
    description: 'Update all channels of a tag; omitted fields stay unchanged',
    examples: ['tollgate channel tag edit spare --priority -1'],
    syntax: (command) =>
      command
        .argument(...TAG)
        .option('--new-tag <text>', 'new tag (empty: none)')
        .option('--models <list>', 'models to serve, separated by commas')
        .option('--groups <list>', 'user groups to serve, separated by commas')
        .option('--model-mapping <json|@file>', 'map model names to upstream names ({}: none)')
        .option('--priority <n>', 'higher priority is used first', priority)
        .option('--weight <n>', 'weight among channels of equal priority', weight),
    async run(cli, tag: string, options: EditOptions) {
      const changes = await changesOf(cli, options)
      const { toolkit, actor } = await cli.open()
      const channels = await countTagged(toolkit, actor, tag)
      await toolkit.channels.updateTag(actor, tag, changes)
      cli.report(cli.say`Updated ${channels} channels with the tag ${tag}.`, { tag: changes.new_tag ?? tag, channels })
    },
  }),
  verb({
    name: 'disable',
    description: 'Disable all channels of a tag',
    examples: ['tollgate channel tag disable spare'],
    syntax: (command) => command.argument(...TAG),
    async run({ cli, toolkit, actor }, tag: string) {
      const channels = await countTagged(toolkit, actor, tag)
      await toolkit.channels.setTagStatus(actor, tag, CHANNEL_STATUS.disabled)
      cli.report(cli.say`Disabled ${channels} channels with the tag ${tag}.`, { tag, channels })
    },
  }),
  verb({
    name: 'enable',
    description: 'Enable all channels of a tag, also those disabled automatically',
    examples: ['tollgate channel tag enable spare'],
    syntax: (command) => command.argument(...TAG),
    async run({ cli, toolkit, actor }, tag: string) {
      const channels = await countTagged(toolkit, actor, tag)
      await toolkit.channels.setTagStatus(actor, tag, CHANNEL_STATUS.enabled)
      cli.report(cli.say`Enabled ${channels} channels with the tag ${tag}.`, { tag, channels })
    },
  }),
  verb({
    name: 'set',
    description: 'Set the tag of channels',
    examples: ['tollgate channel tag set spare 1'],
    syntax: (command) => withBulkFlags(command.argument('<tag>', 'tag').argument(...IDS)),
    check({ say }, tag: string, _ids: number[], _flags: BulkFlags) {
      if (tag.trim() === '') throw usageError(say`the tag is empty: to remove tags, use tollgate channel tag unset`)
    },
    async run({ cli, toolkit, actor }, tag: string, given: number[], { keepGoing }: BulkFlags) {
      const ids = (await findChannels(cli, toolkit, actor, { ids: given, keepGoing })).map(({ id }) => id)
      await toolkit.channels.tagChannels(actor, ids, tag)
      cli.report(
        counted(
          ids.length,
          cli.say`Tagged 1 channel with ${tag}.`,
          cli.say`Tagged ${ids.length} channels with ${tag}.`,
        ),
        { tag: tag.trim(), ids },
      )
    },
  }),
  verb({
    name: 'unset',
    description: 'Remove the tags of channels',
    examples: ['tollgate channel tag unset 1'],
    syntax: (command) => withBulkFlags(command.argument(...IDS)),
    async run({ cli, toolkit, actor }, given: number[], { keepGoing }: BulkFlags) {
      const ids = (await findChannels(cli, toolkit, actor, { ids: given, keepGoing })).map(({ id }) => id)
      await toolkit.channels.tagChannels(actor, ids, null)
      cli.report(cli.say`Removed the tags of ${ids.length} channels.`, { tag: null, ids })
    },
  }),
])

export const channelTag = (cli: Cli): Command =>
  verbs(cli)
    .description('Tag channels, and update all channels of a tag')
    .addHelpText('after', '\nExamples:\n  tollgate channel tag set spare 1')

/** Number of channels with the tag. Throws TAG_UNKNOWN for none, so that a mistyped tag does not look like success. */
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
  if (Object.keys(changes).length === 0) throw usageError(cli.say`nothing to change: pass the fields as flags`)
  // Core would silently ignore empty texts.
  for (const [flag, value] of [
    ['--models', changes.models],
    ['--groups', changes.groups],
    ['--model-mapping', changes.model_mapping],
  ] as const) {
    if (value?.trim() === '') throw usageError(cli.say`${flag} must not be empty`)
  }
  return changes
}
