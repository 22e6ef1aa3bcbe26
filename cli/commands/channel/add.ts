import { Option } from 'commander'
import type { NewChannel } from '../../../core/channels/channel.ts'
import { keyLines } from '../../../core/channels/keys/keys.ts'
import { CHANNEL_TYPES, parseChannelType } from '../../../core/channels/types/types.ts'
import type { Cli } from '../../cli.ts'
import { MissingFlag, usageError } from '../../errors.ts'
import { unknownChannelType } from '../../input/channel-type-suggestion.ts'
import { readSource } from '../../input/input-file.ts'
import { RECORD_FORMATS, type RecordFormat, readRecords } from '../../input/record-file.ts'
import { plainVerb } from '../../run/verbs.ts'
import { type FieldFlags, givenFields, settingWith, withFieldFlags } from './fields.ts'
import { givenKey, type KeyFlags, neededKey, withKeyFlags } from './key-flags.ts'
import type { Entry } from './records.ts'
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

const WORDS_PER_LINE = 5

export const channelAdd = plainVerb({
  name: 'add',
  description: 'Add a channel, or several from a file',
  help: `Types:
${wrapped(TYPES)}

Examples:
  tollgate channel add --name openai --type openai --key sk-abc --models gpt-4o,gpt-4o-mini`,
  syntax: (command) =>
    withFieldFlags(
      withKeyFlags(
        command
          .option('--name <text>', 'channel name')
          .option('--type <type>', 'provider name or number; see the list below'),
      ),
    )
      .option('--batch <file>', 'file with one key per line; adds a channel for each; - for stdin')
      .option('--from <file>', 'JSON, JSONL, YAML or CSV file of channels; flags fill missing fields; - for stdin')
      .addOption(new Option('--format <word>', 'file format (default: by name or content)').choices(RECORD_FORMATS))
      .option('--keep-going', 'add the valid entries of a file with errors'),
  async run(cli, options: Options) {
    if (options.batch !== undefined && options.from !== undefined) {
      throw usageError(cli.say`pass either --batch or --from, not both`)
    }
    if (options.from !== undefined) return addFrom(cli, options.from, options)
    if (options.format || (options.keepGoing && options.batch === undefined)) {
      throw usageError(cli.say`--format and --keep-going need --from or --batch`)
    }
    const channel = await definition(cli, options)
    if (options.batch !== undefined) return addBatch(cli, options.batch, { options, channel })
    const key = await neededKey(cli, options)
    const { toolkit, actor } = await cli.open()
    const created = await toolkit.channels.create(actor, { ...channel, key })
    cli.report(
      cli.say`Added channel ${created.id}, ${created.name}. Test it: tollgate channel test ${created.id}`,
      created,
    )
    await warnOfUnknownGroups(cli, { toolkit, actor }, [channel.group])
  },
})

/** Returns the channel without its key. Throws a usage error if a required flag is missing. */
async function definition(cli: Cli, options: Options): Promise<Omit<NewChannel, 'key'>> {
  const { name, type: word } = options
  const type = word === undefined ? undefined : parseChannelType(word)
  if (word !== undefined && !type) throw unknownChannelType(word)
  if (name === undefined || !type) {
    const missing = [...(name === undefined ? ['--name <text>'] : []), ...(type ? [] : ['--type <type>'])]
    throw new MissingFlag(cli.say`pass ${missing.join(', ')}`)
  }
  const { models, ...given } = await columns(cli, options)
  return { ...given, models: models ?? type.models.join(','), name, type: type.type }
}

async function columns(cli: Cli, options: Options) {
  const { fields, settings } = await givenFields(cli, options)
  const setting = settingWith(cli, fields.setting ?? '', settings)
  return { ...fields, ...(setting !== '' && { setting }) }
}

/** Adds one channel for each key of the file, named by the given name and a number. */
async function addBatch(
  cli: Cli,
  path: string,
  { options, channel }: { options: Options; channel: Omit<NewChannel, 'key'> },
): Promise<void> {
  if (options.key !== undefined || options.keyStdin)
    throw usageError(cli.say`--batch contains the keys: omit --key and --key-stdin`)
  if (options.multiKey)
    throw usageError(cli.say`pass either --batch (one channel per key) or --multi-key (one channel for all), not both`)
  const keys = keyLines(await readSource(cli, path))
  if (keys.length === 0) throw usageError(cli.say`${path === '-' ? 'stdin' : path} is empty`)
  const lines = new Map<string, number>()
  const entries = keys.map(({ key, line }, at): Entry => {
    const first = lines.get(key)
    if (first !== undefined) return { line, error: usageError(cli.say`duplicate of the key in line ${first}`) }
    lines.set(key, line)
    return { line, channel: { ...channel, name: `${channel.name}-${at + 1}`, key } }
  })
  const { addSeveral } = await import('./add-several.ts')
  await addSeveral(cli, entries, { keepGoing: options.keepGoing === true })
}

async function addFrom(cli: Cli, path: string, options: Options): Promise<void> {
  if (options.name !== undefined)
    throw usageError(cli.say`--name cannot be used with --from: the file contains the names`)
  if (path === '-' && options.keyStdin) throw usageError(cli.say`stdin cannot be both the key and the file`)
  const [{ addSeveral }, { entryOf }, key, given] = await Promise.all([
    import('./add-several.ts'),
    import('./records.ts'),
    givenKey(cli, options),
    columns(cli, options),
  ])
  const type = options.type === undefined ? undefined : parseChannelType(options.type)
  if (options.type !== undefined && !type) throw unknownChannelType(options.type)
  const defaults = { ...given, ...(key !== undefined && { key }), ...(type && { type: type.type }) }
  const records = await readRecords(cli, path, options.format)
  await addSeveral(
    cli,
    records.map((record) => entryOf(cli, record, defaults)),
    { keepGoing: options.keepGoing === true },
  )
}

function wrapped(words: readonly string[]): string {
  const lines = Array.from({ length: Math.ceil(words.length / WORDS_PER_LINE) }, (_, at) =>
    words.slice(at * WORDS_PER_LINE, (at + 1) * WORDS_PER_LINE).join(', '),
  )
  return lines.map((line) => `  ${line}`).join(',\n')
}
