import { Command, Option } from 'commander'
import type { NewChannel } from '../../../core/channels/channel.ts'
import { MULTI_KEY_MODES, type MultiKeyMode } from '../../../core/channels/settings.ts'
import { CHANNEL_TYPES, parseChannelType } from '../../../core/channels/types.ts'
import { GatewayError } from '../../../core/errors.ts'
import { wholeNumber } from '../../arguments.ts'
import type { Cli } from '../../cli.ts'
import { usageError } from '../../errors.ts'

interface Options {
  name: string
  type: string
  key?: string
  keyStdin?: true
  baseUrl?: string
  models?: string
  group?: string
  priority?: number
  weight?: number
  modelMapping?: string
  statusCodeMapping?: string
  other?: string
  tag?: string
  testModel?: string
  organization?: string
  multiKey?: MultiKeyMode
}

const TYPES = CHANNEL_TYPES.filter(({ hidden }) => !hidden).map(({ type, slug }) => `${slug} (${type})`)
const priority = wholeNumber({ min: -999, max: 2 ** 31 - 1 })
const weight = wholeNumber({ min: 0, max: 2 ** 31 - 1 })

export function channelAdd(cli: Cli): Command {
  return new Command('add')
    .description('Add an upstream account')
    .requiredOption('--name <text>', 'what you will know it by')
    .requiredOption('--type <type>', 'provider, by word or number; the list is below')
    .option('--key <key>', "the account's credential; asked for when absent")
    .option('--key-stdin', 'read the credential from stdin, which keeps it out of the process list')
    .option('--base-url <url>', "address without /v1 (default: the provider's own)")
    .option('--models <list>', "models to serve, separated by commas (default: the provider's usual ones)")
    .option('--group <list>', 'groups of users to serve, separated by commas (default: default)')
    .option('--priority <n>', 'channels of a higher priority come first (default: 0)', priority)
    .option('--weight <n>', 'share among channels of one priority (default: 0)', weight)
    .option('--model-mapping <json>', 'what models are called upstream: {"gpt-4o":"my-deployment"}')
    .option('--status-code-mapping <json>', 'HTTP statuses to answer instead: {"400":"500"}')
    .option('--other <text>', 'what the provider needs besides, such as the API version of Azure')
    .option('--tag <text>', 'label to find channels by')
    .option('--test-model <model>', 'model to test with (default: the first)')
    .option('--organization <id>', 'OpenAI organization')
    .addOption(
      new Option('--multi-key <mode>', 'the key is several, one in each line, used by chance or by turns').choices(
        MULTI_KEY_MODES,
      ),
    )
    .addHelpText('after', `\nTypes:\n${wrapped(TYPES)}`)
    .addHelpText(
      'after',
      '\nExample:\n  tollgate channel add --name openai --type openai --key sk-abc --models gpt-4o,gpt-4o-mini',
    )
    .action(async (options: Options) => {
      const channel = toChannel(options, await credential(cli, options))
      const { toolkit, actor } = await cli.open()
      const created = await toolkit.channels.create(actor, channel)
      cli.report(
        `Added channel ${created.id}, ${created.name}. Try it with: tollgate channel test ${created.id}`,
        created,
      )
    })
}

async function credential(cli: Cli, { key, keyStdin }: Options): Promise<string> {
  if (key !== undefined && keyStdin) throw usageError('give either --key or --key-stdin, not both')
  if (key !== undefined) return key
  if (keyStdin) return cli.readInput()
  if (!cli.interactive) throw usageError('the key is missing: give it as --key <key>, or as --key-stdin and on stdin')
  const prompts = await cli.prompts()
  return prompts.password({ message: 'Key of the upstream account', mask: true })
}

function toChannel(options: Options, key: string): NewChannel {
  const type = parseChannelType(options.type)
  if (!type) throw new GatewayError('CHANNEL_TYPE_UNKNOWN', { value: options.type })
  return {
    name: options.name,
    type: type.type,
    key,
    models: options.models ?? type.models.join(','),
    ...(options.baseUrl !== undefined && { base_url: options.baseUrl }),
    ...(options.group !== undefined && { group: options.group }),
    ...(options.priority !== undefined && { priority: options.priority }),
    ...(options.weight !== undefined && { weight: options.weight }),
    ...(options.modelMapping !== undefined && { model_mapping: options.modelMapping }),
    ...(options.statusCodeMapping !== undefined && { status_code_mapping: options.statusCodeMapping }),
    ...(options.other !== undefined && { other: options.other }),
    ...(options.tag !== undefined && { tag: options.tag }),
    ...(options.testModel !== undefined && { test_model: options.testModel }),
    ...(options.organization !== undefined && { openai_organization: options.organization }),
    ...(options.multiKey !== undefined && { setting: JSON.stringify({ multi_key_mode: options.multiKey }) }),
  }
}

const WORDS_PER_LINE = 5
function wrapped(words: readonly string[]): string {
  const lines = Array.from({ length: Math.ceil(words.length / WORDS_PER_LINE) }, (_, at) =>
    words.slice(at * WORDS_PER_LINE, (at + 1) * WORDS_PER_LINE).join(', '),
  )
  return lines.map((line) => `  ${line}`).join(',\n')
}
