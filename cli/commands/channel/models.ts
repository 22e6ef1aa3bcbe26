import type { Channel } from '../../../core/channels/channel.ts'
import { parseChannelType } from '../../../core/channels/types/types.ts'
import { commaList } from '../../../core/input.ts'
import type { Cli } from '../../cli.ts'
import { usageError } from '../../errors.ts'
import { positiveInt } from '../../input/arguments.ts'
import { unknownChannelType } from '../../input/channel-type.ts'
import type { Column } from '../../output/column.ts'
import { showAll, type ViewFlags, withViewFlags } from '../../output/listing.ts'
import { plainVerb, YES } from '../../run/verbs.ts'
import { type KeyFlags, neededKey, withKeyFlags } from './key-flags.ts'

interface Options extends KeyFlags, ViewFlags {
  type?: string
  baseUrl?: string
  apply?: true
  replace?: true
  yes?: true
}

export const channelModels = plainVerb({
  name: 'models',
  description: 'channel.listTheModelsOfAnUpstream',
  examples: ['tollgate channel models 1', 'tollgate channel models 1 --apply --yes'],
  syntax: (command) =>
    withViewFlags(
      withKeyFlags(
        command
          .argument('[id]', 'channel.channelId', positiveInt)
          .option('--type <type>', 'channel.forANewUpstream')
          .option('--base-url <url>', 'channel.itsBaseUrlDefault'),
      ),
      UPSTREAM_MODEL_COLUMNS,
    )
      .option('--apply', 'channel.addTheNewModels')
      .option('--replace', 'channel.replaceTheModelsOfTheChannel')
      .option(...YES),
  async run(cli, id: number | undefined, options: Options) {
    checkFlags(cli, id, options)
    const show = (models: readonly UpstreamModel[]) =>
      showAll(cli, options, models, {
        columns: UPSTREAM_MODEL_COLUMNS,
        empty: cli.t('channel.theUpstreamListsNoModels'),
      })
    if (id === undefined) {
      const upstream = await upstreamOf(cli, options)
      const { toolkit, actor } = await cli.open()
      return show(modelStates(await toolkit.channelChecks.fetchModelsFrom(actor, upstream)))
    }
    const { toolkit, actor } = await cli.open()
    const channel = await toolkit.channels.get(actor, id)
    const upstreamModels = await toolkit.channelChecks.fetchModels(actor, id)
    const states = modelStates(upstreamModels, commaList(channel.models))
    if (!options.apply && !options.replace) return show(states)
    const updatedChannel = await updateModels(cli, { channel, states, options })
    cli.report(
      cli.t('channel.channelServesModels', { id, name: channel.name, count: commaList(updatedChannel.models).length }),
      updatedChannel,
    )
  },
})

function checkFlags(cli: Cli, id: number | undefined, { type, baseUrl, key, keyStdin, apply, replace }: Options): void {
  if (apply && replace) throw usageError(cli.t('channel.passEitherApplyOrReplace'))
  const hasUpstreamFlags = [type, baseUrl, key, keyStdin].some((each) => each !== undefined)
  if (id === undefined ? type === undefined : hasUpstreamFlags) throw usageError(cli.t('channel.passEitherAChannelId'))
  if (id === undefined && (apply || replace)) throw usageError(cli.t('channel.applyAndReplaceNeedAChannel'))
}

async function upstreamOf(cli: Cli, { type: word = '', baseUrl = '', ...flags }: Options) {
  const type = parseChannelType(word)
  if (!type) throw unknownChannelType(word)
  return { type: type.type, base_url: baseUrl, key: await neededKey(cli, flags) }
}

/** Updates the channel's models after confirmation. If there is nothing to change, returns the channel unchanged. */
async function updateModels(
  cli: Cli,
  { channel, states, options }: { channel: Channel; states: readonly UpstreamModel[]; options: Options },
): Promise<Channel> {
  const modelsWith = (wantedState: UpstreamModel['state']) =>
    states.filter(({ state }) => state === wantedState).map(({ model }) => model)
  const [added, removedModels] = [modelsWith('new'), options.replace ? modelsWith('gone') : []]
  if (added.length === 0 && removedModels.length === 0) return channel
  const served = modelsWith('served')
  if (options.replace && served.length + added.length === 0) {
    throw usageError(cli.t('channel.theUpstreamListsNoModelsAChannel'))
  }
  for (const model of added) cli.note(`+ ${model}`)
  for (const model of removedModels) cli.note(`- ${model}`)
  await cli.confirm(
    cli.t('channel.changeTheModelsOfChannel', {
      id: channel.id,
      name: channel.name,
      added: added.length,
      removed: removedModels.length,
    }),
    { yes: options.yes },
  )
  const { toolkit, actor } = await cli.open()
  const remainingModels = options.replace ? served : commaList(channel.models)
  return toolkit.channels.update(
    actor,
    channel.id,
    { models: [...remainingModels, ...added].join(',') },
    { emptyClears: true },
  )
}

/** A model that the upstream or the channel has. */
interface UpstreamModel {
  model: string
  /** `new`: only the upstream has the model; `gone`: only the channel has the model. */
  state: 'new' | 'served' | 'gone'
}

const UPSTREAM_MODEL_COLUMNS: readonly Column<UpstreamModel>[] = [
  { name: 'model', value: ({ model }) => model, cut: true },
  {
    name: 'state',
    value: ({ state }, { label }) => label(state),
    tone: ({ state }) => (state === 'new' ? 'good' : state === 'gone' ? 'bad' : 'faint'),
  },
]

/** Returns all models of the upstream in the upstream's order, then the models that only the channel has. */
function modelStates(upstream: readonly string[], served: readonly string[] = []): UpstreamModel[] {
  const [upstreamModels, channelModels] = [new Set(upstream), new Set(served)]
  return [
    ...[...upstreamModels].map(
      (model): UpstreamModel => ({ model, state: channelModels.has(model) ? 'served' : 'new' }),
    ),
    ...[...channelModels]
      .filter((model) => !upstreamModels.has(model))
      .map((model): UpstreamModel => ({ model, state: 'gone' })),
  ]
}
