import { Command } from 'commander'
import type { Channel, ChannelChanges } from '../../../core/channels/channel.ts'
import { parseChannelType } from '../../../core/channels/types.ts'
import { GatewayError } from '../../../core/errors.ts'
import { positiveInts } from '../../arguments.ts'
import type { Cli } from '../../cli.ts'
import { EXIT, failureOf, usageError } from '../../errors.ts'
import { type FieldFlags, type GivenFields, givenFields, settingWith, withFieldFlags } from './fields.ts'
import { findChannels } from './find.ts'
import { givenKey, type KeyFlags, withKeyFlags } from './key-flags.ts'

interface Options extends FieldFlags, KeyFlags {
  name?: string
  type?: string
  keepGoing?: true
}

export function channelUpdate(cli: Cli): Command {
  const command = new Command('update')
    .description('Change channels: what is not given stays, an empty text clears')
    .argument('<id...>', 'numbers of the channels', positiveInts)
    .option('--name <text>', 'what you will know it by')
    .option('--type <type>', 'provider, by word or number: see tollgate channel types')
  return withFieldFlags(withKeyFlags(command))
    .option('--keep-going', 'go on with the others when one does not exist or is refused')
    .addHelpText(
      'after',
      '\nExamples:\n  tollgate channel update 1 --priority 5 --tag spare\n  tollgate channel update 1 --proxy "" --force-format off',
    )
    .action(async (ids: number[], { keepGoing, ...options }: Options) => {
      if (ids.length > 1 && (options.name !== undefined || options.key !== undefined || options.keyStdin)) {
        throw usageError(cli.say`--name and --key are for one channel at a time`)
      }
      const given = await givenFields(cli, options)
      const changes = { ...given.fields, ...(await ownChanges(cli, options)) }
      if (Object.keys(changes).length === 0 && Object.keys(given.settings).length === 0) {
        throw usageError(cli.say`nothing to change: give the fields as flags`)
      }
      const { toolkit, actor } = await cli.open()
      const found = await findChannels(cli, toolkit, actor, { ids, keepGoing })
      const changed: Channel[] = []
      for (const channel of found) {
        try {
          const wanted = { ...changes, ...settingChange(cli, channel, { changes, given }) }
          changed.push(await toolkit.channels.update(actor, channel.id, wanted, { emptyClears: true }))
          if (!cli.json) cli.note(cli.say`Changed channel ${channel.id}, ${changed.at(-1)?.name}.`)
        } catch (error) {
          if (!keepGoing || !(error instanceof GatewayError)) throw error
          cli.exitCode = EXIT.failed
          const { message } = failureOf(error, cli.language)
          cli.note(cli.say`Channel ${channel.id}, ${channel.name}: ${message}`)
        }
      }
      if (cli.json) cli.writeJson(ids.length === 1 ? changed[0] : changed)
    })
}

async function ownChanges(cli: Cli, options: Options): Promise<ChannelChanges> {
  const { name, type: word } = options
  const type = word === undefined ? undefined : parseChannelType(word)
  if (word !== undefined && !type) throw new GatewayError('CHANNEL_TYPE_UNKNOWN', { value: word })
  const key = await givenKey(cli, options)
  if (key?.trim() === '') throw new GatewayError('CHANNEL_KEY_MISSING')
  return { ...(name !== undefined && { name }), ...(type && { type: type.type }), ...(key !== undefined && { key }) }
}

/** Single settings go over those of each channel. */
function settingChange(
  cli: Cli,
  { setting }: Channel,
  { changes, given: { settings } }: { changes: ChannelChanges; given: GivenFields },
): { setting?: string } {
  if (Object.keys(settings).length === 0) return {}
  return { setting: settingWith(cli, changes.setting ?? setting, settings) }
}
