import { Command } from 'commander'
import type { TagChanges } from '../../../../core/channels/tags.ts'
import type { Cli } from '../../../cli.ts'
import { usageError } from '../../../errors.ts'
import { wholeNumber } from '../../../input/arguments.ts'
import { textOrFile } from '../../../input/input-file.ts'

interface Options {
  newTag?: string
  models?: string
  groups?: string
  modelMapping?: string
  priority?: number
  weight?: number
}
const priority = wholeNumber({ min: -999, max: 2 ** 31 - 1 })
const weight = wholeNumber({ min: 0, max: 2 ** 31 - 1 })

export function tagEdit(cli: Cli): Command {
  return new Command('edit')
    .description('Change all channels of a tag; what is not given stays')
    .argument('<tag>', 'the tag, whole')
    .option('--new-tag <text>', 'another tag for them (empty: none)')
    .option('--models <list>', 'models to serve, separated by commas')
    .option('--groups <list>', 'groups of users to serve, separated by commas')
    .option('--model-mapping <json|@file>', 'what models are called upstream ({}: as they are)')
    .option('--priority <n>', 'channels of a higher priority come first', priority)
    .option('--weight <n>', 'share among channels of one priority', weight)
    .addHelpText('after', '\nExamples:\n  tollgate channel tag edit spare --priority -1')
    .action(async (tag: string, options: Options) => {
      const changes = await changesOf(cli, options)
      const [{ toolkit, actor }, { countTagged }] = await Promise.all([cli.open(), import('./count.ts')])
      const channels = await countTagged(toolkit, actor, tag)
      await toolkit.channels.updateTag(actor, tag, changes)
      cli.report(cli.say`Changed ${channels} channels with the tag ${tag}.`, { tag: changes.new_tag ?? tag, channels })
    })
}

async function changesOf(cli: Cli, { newTag, modelMapping, ...fields }: Options): Promise<TagChanges> {
  const changes = {
    ...fields,
    ...(newTag !== undefined && { new_tag: newTag.trim() }),
    ...(modelMapping !== undefined && { model_mapping: await textOrFile(cli, modelMapping) }),
  }
  if (Object.keys(changes).length === 0) throw usageError(cli.say`nothing to change: give the fields as flags`)
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
