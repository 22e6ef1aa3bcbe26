import type { Channel, ChannelChanges } from '../../../core/channels/channel.ts'
import { GatewayError } from '../../../core/errors.ts'
import type { Cli } from '../../cli.ts'
import { usageError } from '../../errors.ts'
import { positiveInts } from '../../input/arguments.ts'
import { givenChannelType } from '../../input/channel-type.ts'
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
    const changes = { ...given.fields, ...(await basicChanges(cli, options)) }
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
        changeWithKey(cli, id, async (key) =>
          toolkit.channels.update(actor, id, { ...channelChanges, ...(key !== undefined && { key }) }, updateOptions),
        ),
      doneText: ({ id, name }) => cli.t('channel.updatedChannel', { id, name }),
    })
    await warnOfUnknownGroups(cli, { toolkit, actor }, [changes.group])
  },
})

/** Makes a change. If the gateway requires the channel's key, asks for the key and repeats the change with this key. */
async function changeWithKey<T>(cli: Cli, id: number, change: (key?: string) => Promise<T>): Promise<T> {
  try {
    return await change()
  } catch (error) {
    const isRefused = error instanceof GatewayError && error.code === 'CHANNEL_KEY_AGAIN'
    if (!isRefused || !cli.interactive) throw error
    const prompts = await cli.prompts()
    return change(await prompts.password({ message: cli.t('audit.keyOfChannel', { id }), mask: true }))
  }
}

/** Returns the changes that flags other than field flags give: name, type and key. */
async function basicChanges(cli: Cli, options: Options): Promise<ChannelChanges> {
  const { name } = options
  const type = givenChannelType(options.type)
  const key = await givenKey(cli, options)
  if (key?.trim() === '') throw new GatewayError('CHANNEL_KEY_MISSING')
  return { ...(name !== undefined && { name }), ...(type && { type: type.type }), ...(key !== undefined && { key }) }
}

/** Returns the channel's `setting` column with the given settings merged into it; nothing without given settings. */
function settingChange(
  cli: Cli,
  { setting }: Channel,
  { changes, given: { settings } }: { changes: ChannelChanges; given: GivenFields },
): { setting?: string } {
  if (Object.keys(settings).length === 0) return {}
  return { setting: settingWith(cli, changes.setting ?? setting, settings) }
}
