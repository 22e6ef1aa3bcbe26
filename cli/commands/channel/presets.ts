import { findAnyType, parseChannelType } from '../../../core/channels/types/types.ts'
import { GatewayError } from '../../../core/errors.ts'
import { usageError } from '../../errors.ts'
import { type ListFlags, showAll, withViewFlags } from '../../output/listing.ts'
import { plainVerb } from '../../run/verbs.ts'

type Options = { owners?: true } & Pick<ListFlags, 'columns' | 'sort' | 'output'>

export const channelPresets = plainVerb({
  name: 'presets',
  description: 'List built-in names of models',
  examples: ['tollgate channel presets deepseek', 'tollgate channel presets --owners'],
  syntax: (command) =>
    withViewFlags(
      command
        .argument('[type]', 'only those of this provider, by word or number')
        .option('--owners', 'a line for each model, with its owner, instead of one for each provider'),
    ),
  async run(cli, word: string | undefined, { owners, ...flags }: Options) {
    if (owners && word !== undefined) throw usageError(cli.say`give either a type or --owners, not both`)
    const type = word === undefined ? undefined : parseChannelType(word)
    if (word !== undefined && !type) throw new GatewayError('CHANNEL_TYPE_UNKNOWN', { value: word })
    const [{ toolkit }, { LISTED_COLUMNS, PRESET_COLUMNS }] = await Promise.all([
      cli.open(),
      import('../../columns/preset.ts'),
    ])
    const empty = cli.say`No built-in names.`
    if (owners) {
      const models = await toolkit.channelChecks.listedModels()
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
})
