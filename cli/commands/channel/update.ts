import type { Channel, ChannelChanges } from '../../../core/channels/channel.ts'
import { parseChannelType } from '../../../core/channels/types/types.ts'
import { GatewayError } from '../../../core/errors.ts'
import type { Cli } from '../../cli.ts'
import { usageError } from '../../errors.ts'
import { positiveInts } from '../../input/arguments.ts'
import { unknownChannelType } from '../../input/channel-type-suggestion.ts'
import { type BulkFlags, runBulk, withBulkFlags } from '../../run/bulk.ts'
import { plainVerb } from '../../run/verbs.ts'
import { type FieldFlags, type GivenFields, givenFields, settingWith, withFieldFlags } from './fields.ts'
import { givenKey, type KeyFlags, withKeyFlags } from './key-flags.ts'
import { warnOfUnknownGroups } from './unknown-groups.ts'

interface Options extends FieldFlags, KeyFlags, BulkFlags {
  name?: string
  type?: string
}

export const channelUpdate = plainVerb({
  name: 'update',
  description: 'channel.updateChannels',
  examples: ['tollgate channel update 1 --priority 5 --tag spare', 'tollgate channel update 1 --force-format off'],
  syntax: (command) =>
    withBulkFlags(
      withFieldFlags(
        withKeyFlags(
          command
            .argument('<id...>', 'channel.channelIDs', positiveInts)
            .option('--name <text>', 'channel.channelName')
            .option('--type <type>', 'channel.providerNameOrNumberSee'),
        ),
      ),
    ),
  async run(cli, ids: number[], { keepGoing, ...options }: Options) {
    if (ids.length > 1 && (options.name !== undefined || options.key !== undefined || options.keyStdin)) {
      throw usageError(cli.t('channel.nameAndKeyNeedExactly'))
    }
    const given = await givenFields(cli, options)
    const changes = { ...given.fields, ...(await ownChanges(cli, options)) }
    if (Object.keys(changes).length === 0 && Object.keys(given.settings).length === 0) {
      throw usageError(cli.t('channel.nothingToChange'))
    }
    const [{ toolkit, actor }, { checkTypeAndAddress, editedColumns }] = await Promise.all([
      cli.open(),
      import('../../../core/channels/check.ts'),
    ])
    const updateOptions = { emptyClears: true }
    await runBulk(cli, ids, {
      keepGoing,
      async check(id) {
        const channel = await toolkit.channels.get(actor, id)
        const channelChanges = { ...changes, ...settingChange(cli, channel, { changes, given }) }
        checkTypeAndAddress(channel, channelChanges, editedColumns(channelChanges, updateOptions))
        return { id, channelChanges }
      },
      run: ({ id, channelChanges }) =>
        withKeyAgain(cli, id, async (key) =>
          toolkit.channels.update(actor, id, { ...channelChanges, ...(key !== undefined && { key }) }, updateOptions),
        ),
      doneText: ({ id, name }) => cli.t('channel.updatedChannel', { id, name }),
    })
    await warnOfUnknownGroups(cli, { toolkit, actor }, [changes.group])
  },
})

/** Makes a change. If the gateway requires the channel's key again, prompts for the key when possible. */
async function withKeyAgain<T>(cli: Cli, id: number, change: (key?: string) => Promise<T>): Promise<T> {
  try {
    return await change()
  } catch (error) {
    const isRefused = error instanceof GatewayError && error.code === 'CHANNEL_KEY_AGAIN'
    if (!isRefused || !cli.interactive) throw error
    const prompts = await cli.prompts()
    return change(await prompts.password({ message: cli.t('audit.keyOfChannel', { id }), mask: true }))
  }
}

async function ownChanges(cli: Cli, options: Options): Promise<ChannelChanges> {
  const { name, type: word } = options
  const type = word === undefined ? undefined : parseChannelType(word)
  if (word !== undefined && !type) throw unknownChannelType(word)
  const key = await givenKey(cli, options)
  if (key?.trim() === '') throw new GatewayError('CHANNEL_KEY_MISSING')
  return { ...(name !== undefined && { name }), ...(type && { type: type.type }), ...(key !== undefined && { key }) }
}

/** Returns the `setting` column of a channel with the settings merged into it. */
function settingChange(
  cli: Cli,
  { setting }: Channel,
  { changes, given: { settings } }: { changes: ChannelChanges; given: GivenFields },
): { setting?: string } {
  if (Object.keys(settings).length === 0) return {}
  return { setting: settingWith(cli, changes.setting ?? setting, settings) }
}
