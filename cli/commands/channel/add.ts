import type { NewChannel } from '../../../core/channels/channel.ts'
import { keyLines } from '../../../core/channels/keys/keys.ts'
import { CHANNEL_TYPES } from '../../../core/channels/types/types.ts'
import type { Cli } from '../../cli.ts'
import { MissingFlag, usageError } from '../../errors.ts'
import { givenChannelType } from '../../input/channel-type.ts'
import { readSource } from '../../input/input-file.ts'
import { RECORD_FORMATS, type RecordFormat, readRecordFile } from '../../input/record-file.ts'
import { plainVerb } from '../../run/verbs.ts'
import { type FieldFlags, givenFields, ONE_KEY, settingWith, withFieldFlags } from './fields.ts'
import { givenKey, type KeyFlags, neededKey, withKeyFlags } from './key-flags.ts'
import type { ChannelEntry } from './records.ts'
import { warnOfUnknownGroups } from './unknown-groups.ts'

interface Options extends FieldFlags, KeyFlags {
  name?: string
  type?: string
  batch?: string
  from?: string
  format?: RecordFormat
  keepGoing?: true
}

const TYPES = CHANNEL_TYPES.filter(({ hidden }) => !hidden).map(({ type, slug }) => `${slug} (${type})`)

const TYPES_PER_LINE = 5

export const channelAdd = plainVerb({
  name: 'add',
  description: 'channel.addAChannel',
  examples: ['tollgate channel add --name openai --type openai --key sk-abc --models gpt-4o,gpt-4o-mini'],
  syntax: (command) =>
    withFieldFlags(
      withKeyFlags(
        command
          .listing('channel.typesTitle', wrapList(TYPES))
          .option('--name <text>', 'channel.channelName')
          .option('--type <type>', 'channel.providerNameOrNumberSee'),
      ),
    )
      .option('--batch <file>', 'channel.fileWithOneKeyPerLine')
      .option('--from <file>', 'channel.jsonJsonlYamlOrCsv')
      .choice('--format <word>', 'channel.fileFormat', RECORD_FORMATS, { id: 'channel.defaultByNameOrContent' })
      .option('--keep-going', 'channel.addTheValidEntries'),
  async run(cli, options: Options) {
    if (options.batch !== undefined && options.from !== undefined) throw usageError(cli.t('channel.passEitherBatch'))
    if (options.from !== undefined) return addFrom(cli, options.from, options)
    if (options.format || (options.keepGoing && options.batch === undefined)) {
      throw usageError(cli.t('channel.formatAndKeepGoingNeed'))
    }
    const channel = await definition(cli, options)
    if (options.batch !== undefined) return addBatch(cli, options.batch, { options, channel })
    const key = await neededKey(cli, options)
    const { toolkit, actor } = await cli.open()
    const created = await toolkit.channels.create(actor, { ...channel, key })
    cli.report(cli.t('channel.addedChannelTest', { id: created.id, name: created.name }), created)
    await warnOfUnknownGroups(cli, { toolkit, actor }, [channel.group])
  },
})

/** Returns the new channel without its key. Throws CHANNEL_TYPE_UNKNOWN, and MissingFlag without --name or --type. */
async function definition(cli: Cli, options: Options): Promise<Omit<NewChannel, 'key'>> {
  const { name } = options
  const type = givenChannelType(options.type)
  if (name === undefined || !type) {
    const missing = [...(name === undefined ? ['--name <text>'] : []), ...(type ? [] : ['--type <type>'])]
    throw new MissingFlag(cli.t('channel.pass', { missing: missing.join(', ') }))
  }
  const { models, ...given } = await givenColumns(cli, options)
  return { ...given, models: models ?? type.models.join(','), name, type: type.type }
}

/** Returns the columns that flags give, with the settings merged into the `setting` column. */
async function givenColumns(cli: Cli, options: Options) {
  const { fields, settings } = await givenFields(cli, options)
  const setting = settingWith(cli, fields.setting ?? '', settings)
  return { ...fields, ...(setting !== '' && { setting }) }
}

/** Adds one channel for each key of the file. The channels get the given name with the key's number: `name-1`. */
async function addBatch(
  cli: Cli,
  path: string,
  { options, channel }: { options: Options; channel: Omit<NewChannel, 'key'> },
): Promise<void> {
  if (options.key !== undefined || options.keyStdin) throw usageError(cli.t('channel.batchContainsTheKeys'))
  if (options.multiKey !== undefined && options.multiKey !== ONE_KEY)
    throw usageError(cli.t('channel.passEitherBatchOneChannelPer'))
  const keys = keyLines(await readSource(cli, path))
  if (keys.length === 0) throw usageError(cli.t('channel.isEmpty', { file: path === '-' ? 'stdin' : path }))
  const lines = new Map<string, number>()
  const entries = keys.map(({ key, line }, at): ChannelEntry => {
    const first = lines.get(key)
    if (first !== undefined)
      return { line, error: usageError(cli.t('channel.duplicateOfTheKeyInLine', { line: first })) }
    lines.set(key, line)
    return { line, channel: { ...channel, name: `${channel.name}-${at + 1}`, key } }
  })
  const { addSeveral } = await import('./add-several.ts')
  await addSeveral(cli, entries, { keepGoing: options.keepGoing === true })
}

async function addFrom(cli: Cli, path: string, options: Options): Promise<void> {
  if (options.name !== undefined) throw usageError(cli.t('channel.nameCannotBeUsed'))
  if (path === '-' && options.keyStdin) throw usageError(cli.t('channel.stdinCannotBeBothTheKey'))
  const [{ addSeveral }, { channelEntryOf }, key, given] = await Promise.all([
    import('./add-several.ts'),
    import('./records.ts'),
    givenKey(cli, options),
    givenColumns(cli, options),
  ])
  const type = givenChannelType(options.type)
  const defaults = { ...given, ...(key !== undefined && { key }), ...(type && { type: type.type }) }
  const records = await readRecordFile(cli, path, options.format)
  await addSeveral(
    cli,
    records.map((record) => channelEntryOf(cli, record, defaults)),
    { keepGoing: options.keepGoing === true },
  )
}

/** Returns the entries as a comma list that is wrapped after every fifth entry. */
function wrapList(entries: readonly string[]): string[] {
  const lines: string[] = []
  for (let at = 0; at < entries.length; at += TYPES_PER_LINE) {
    const isLast = at + TYPES_PER_LINE >= entries.length
    lines.push(entries.slice(at, at + TYPES_PER_LINE).join(', ') + (isLast ? '' : ','))
  }
  return lines
}
