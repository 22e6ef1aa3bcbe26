import type { Channel } from '../../../core/channels/channel.ts'
import { parseChannelType } from '../../../core/channels/types/types.ts'
import { commaList } from '../../../core/input.ts'
import type { Cli } from '../../cli.ts'
import { modelStates, UPSTREAM_MODEL_COLUMNS, type UpstreamModel } from '../../columns/channel-models.ts'
import { usageError } from '../../errors.ts'
import { positiveInt } from '../../input/arguments.ts'
import { unknownChannelType } from '../../input/channel-type-suggestion.ts'
import { type ListFlags, showAll, withViewFlags } from '../../output/listing.ts'
import { plainVerb, YES } from '../../run/verbs.ts'
import { type KeyFlags, neededKey, withKeyFlags } from './key-flags.ts'

interface Options extends KeyFlags, Pick<ListFlags, 'columns' | 'sort' | 'output'> {
  type?: string
  baseUrl?: string
  apply?: true
  replace?: true
  yes?: true
}

export const channelModels = plainVerb({
  name: 'models',
  description: 'List the models of an upstream, and update those of a channel',
  examples: ['tollgate channel models 1', 'tollgate channel models 1 --apply --yes'],
  syntax: (command) =>
    withViewFlags(
      withKeyFlags(
        command
          .argument('[id]', 'channel ID', positiveInt)
          .option('--type <type>', 'for a new upstream: provider name or number')
          .option('--base-url <url>', "its base URL (default: the provider's)"),
      ),
    )
      .option('--apply', 'add the new models to those of the channel')
      .option('--replace', 'replace the models of the channel')
      .option(...YES),
  async run(cli, id: number | undefined, options: Options) {
    checkFlags(cli, id, options)
    const show = (models: readonly UpstreamModel[]) =>
      showAll(cli, options, models, { columns: UPSTREAM_MODEL_COLUMNS, empty: cli.say`The upstream lists no models.` })
    if (id === undefined) {
      const upstream = await upstreamOf(cli, options)
      const { toolkit, actor } = await cli.open()
      return show(modelStates(await toolkit.channelChecks.fetchModelsFrom(actor, upstream)))
    }
    const { toolkit, actor } = await cli.open()
    const channel = await toolkit.channels.get(actor, id)
    const there = await toolkit.channelChecks.fetchModels(actor, id)
    const states = modelStates(there, commaList(channel.models))
    if (!options.apply && !options.replace) return show(states)
    const changed = await serve(cli, { channel, states, options })
    cli.report(cli.say`Channel ${id}, ${channel.name}, serves ${commaList(changed.models).length} models.`, changed)
  },
})

function checkFlags(cli: Cli, id: number | undefined, { type, baseUrl, key, keyStdin, apply, replace }: Options): void {
  if (apply && replace) throw usageError(cli.say`pass either --apply or --replace, not both`)
  const elsewhere = [type, baseUrl, key, keyStdin].some((each) => each !== undefined)
  if (id === undefined ? type === undefined : elsewhere) {
    throw usageError(cli.say`pass either a channel ID, or --type with --base-url and a key`)
  }
  if (id === undefined && (apply || replace)) throw usageError(cli.say`--apply and --replace need a channel ID`)
}

async function upstreamOf(cli: Cli, { type: word = '', baseUrl = '', ...flags }: Options) {
  const type = parseChannelType(word)
  if (!type) throw unknownChannelType(word)
  return { type: type.type, base_url: baseUrl, key: await neededKey(cli, flags) }
}

/** Updates the channel's models after confirmation; returns the channel unchanged if they are up to date. */
async function serve(
  cli: Cli,
  { channel, states, options }: { channel: Channel; states: readonly UpstreamModel[]; options: Options },
): Promise<Channel> {
  const named = (wanted: UpstreamModel['state']) =>
    states.filter(({ state }) => state === wanted).map(({ model }) => model)
  const [added, gone] = [named('new'), options.replace ? named('gone') : []]
  if (added.length === 0 && gone.length === 0) return channel
  const served = named('served')
  if (options.replace && served.length + added.length === 0) {
    throw usageError(cli.say`the upstream lists no models: a channel must serve at least one`)
  }
  for (const model of added) cli.note(`+ ${model}`)
  for (const model of gone) cli.note(`- ${model}`)
  await cli.confirm(
    cli.say`Add ${added.length} models to channel ${channel.id}, ${channel.name}, and remove ${gone.length}?`,
    { yes: options.yes },
  )
  const { toolkit, actor } = await cli.open()
  const kept = options.replace ? served : commaList(channel.models)
  return toolkit.channels.update(actor, channel.id, { models: [...kept, ...added].join(',') }, { emptyClears: true })
}
