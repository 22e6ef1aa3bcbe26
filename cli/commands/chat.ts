import type { ChatSession } from '../chat/session.ts'
import type { Cli } from '../cli.ts'
import { Command } from '../command.ts'
import { usageError } from '../errors.ts'
import { decimal, positiveInt } from '../input/arguments.ts'
import { readText } from '../input/text-file.ts'

interface Options {
  model?: string
  system?: string
  temperature?: number
  maxTokens?: number
  group?: string
  key?: string
  keyFile?: string
  stream: boolean
}

const STDIN = '-'
const MODELS_NAMED = 10

export function chat(cli: Cli): Command {
  return new Command('chat', cli)
    .argument('[prompt...]', 'chat.promptOrForStdin')
    .option('--model <name>', 'chat.modelToChatWithDefault')
    .option('--system <text>', 'chat.systemPromptOption')
    .option('--temperature <n>', 'chat.n0To2Default', decimal({ min: 0, max: 2 }))
    .option('--max-tokens <n>', 'chat.maximumLengthOfTheAnswer', positiveInt)
    .option('--group <name>', 'chat.groupForRoutingAndPricingDefault')
    .option('--key <key>', 'chat.useThisApiKey')
    .option('--key-file <path>', 'chat.readTheApiKey')
    .option('--no-stream', 'chat.printTheAnswer')
    .example('tollgate chat --model gpt-4o Hello', 'tollgate chat --model gpt-4o --max-tokens 20 --json Hello')
    .action(async (words: string[], options: Options) => {
      const key = await keyOf(cli, options)
      if (key !== undefined && options.group !== undefined) throw usageError(cli.t('chat.anApiKeyHasItsOwn'))
      const prompt = await promptOf(cli, words)
      const [{ toolkit, actor }, { openSession }] = await Promise.all([cli.open(), import('../chat/session.ts')])
      const connection = await toolkit.chats.open(actor)
      try {
        const session = await openSession(cli, connection, {
          key,
          system: options.system ?? '',
          settings: {
            model: options.model ?? '',
            temperature: options.temperature,
            max_tokens: options.maxTokens,
            group: options.group,
            stream: options.stream && !cli.json,
          },
          models: () => toolkit.models.usable(actor),
        })
        if (options.model === undefined) session.settings.model = await chooseModel(cli, session, prompt === undefined)
        if (prompt !== undefined) await (await import('../chat/single.ts')).runSinglePrompt(cli, session, prompt)
        else await (await import('../chat/repl.ts')).chatOn(cli, session)
      } finally {
        await connection.close()
      }
    })
}

async function keyOf(cli: Cli, { key, keyFile }: Options): Promise<string | undefined> {
  if (key !== undefined && keyFile !== undefined) throw usageError(cli.t('chat.passEitherKeyOrKeyFile'))
  if (keyFile === undefined) return key
  return (await readText(cli, keyFile)).trim()
}

/** Returns the prompt; undefined for an interactive chat. */
async function promptOf(cli: Cli, words: readonly string[]): Promise<string | undefined> {
  if (words.length === 0 && cli.interactive) {
    if (cli.json) throw usageError(cli.t('chat.anInteractiveChatHasNoJson'))
    return undefined
  }
  const input = words.length === 0 || words.includes(STDIN) ? await cli.readInput() : ''
  const prompt = words.length === 0 ? input : words.map((word) => (word === STDIN ? input : word)).join(' ')
  if (prompt.trim() === '') throw usageError(cli.t('chat.missingPrompt'))
  return prompt
}

async function chooseModel(cli: Cli, session: ChatSession, canAsk: boolean): Promise<string> {
  const models = await session.models()
  const [firstModel] = models
  if (firstModel === undefined) throw usageError(cli.t('chat.noModelsAreAvailable'))
  if (models.length === 1) return firstModel
  if (canAsk) {
    const choices = models.map((value) => ({ value, name: value }))
    return (await cli.prompts()).select({ message: cli.t('ui.model'), choices })
  }
  const names = models.slice(0, MODELS_NAMED).join(', ')
  throw usageError(
    models.length > MODELS_NAMED
      ? cli.t('chat.passModelSuchAs', { models: names })
      : cli.t('chat.passModelOf', { models: names }),
  )
}
