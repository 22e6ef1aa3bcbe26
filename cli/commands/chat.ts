import { Command } from 'commander'
import type { ChatSession } from '../chat/session.ts'
import type { Cli } from '../cli.ts'
import { usageError } from '../errors.ts'
import { decimal, positiveInt } from '../input/arguments.ts'

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
  return new Command('chat')
    .argument('[prompt...]', 'the question; - means stdin. Without it a chat begins, or in a pipe stdin is sent')
    .option('--model <name>', 'model to ask (default: the only one there is, or you choose)')
    .option('--system <text>', 'what the model is told first')
    .option('--temperature <n>', 'from 0 to 2 (default: that of the model)', decimal({ min: 0, max: 2 }))
    .option('--max-tokens <n>', 'longest answer in tokens (default: that of the model)', positiveInt)
    .option('--group <name>', 'group that serves and prices it (default: your own)')
    .option('--key <key>', 'chat with this API key instead, at its limits')
    .option('--key-file <path>', 'the same with the key in a file, which no list of processes shows')
    .option('--no-stream', 'show the answer once it is whole')
    .addHelpText(
      'after',
      '\nExamples:\n  tollgate chat --model gpt-4o Hello\n  tollgate chat --model gpt-4o --max-tokens 20 --json Hello',
    )
    .action(async (words: string[], options: Options) => {
      const key = await keyOf(cli, options)
      if (key !== undefined && options.group !== undefined) {
        throw usageError(cli.say`an API key has its own group: leave --group out`)
      }
      const prompt = await promptOf(cli, words)
      const [{ toolkit, actor }, { openSession }] = await Promise.all([cli.open(), import('../chat/session.ts')])
      const door = await toolkit.chats.open(actor)
      try {
        const session = await openSession(cli, door, {
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
        await door.close()
      }
    })
}

async function keyOf(cli: Cli, { key, keyFile }: Options): Promise<string | undefined> {
  if (key !== undefined && keyFile !== undefined) throw usageError(cli.say`give either --key or --key-file, not both`)
  if (keyFile === undefined) return key
  const { readText } = await import('../input/text-file.ts')
  return (await readText(cli, keyFile)).trim()
}

/** Returns undefined for an interactive chat. */
async function promptOf(cli: Cli, words: readonly string[]): Promise<string | undefined> {
  if (words.length === 0 && cli.interactive) {
    if (cli.json) throw usageError(cli.say`an interactive chat has no JSON output: pass a prompt`)
    return undefined
  }
  const input = words.length === 0 || words.includes(STDIN) ? await cli.readInput() : ''
  const prompt = words.length === 0 ? input : words.map((word) => (word === STDIN ? input : word)).join(' ')
  if (prompt.trim() === '') throw usageError(cli.say`there is nothing to ask: give a prompt`)
  return prompt
}

async function chooseModel(cli: Cli, session: ChatSession, mayAsk: boolean): Promise<string> {
  const models = await session.models()
  const [only] = models
  if (only === undefined) throw usageError(cli.say`there is no model that you can ask for: see tollgate channel list`)
  if (models.length === 1) return only
  if (mayAsk) {
    const choices = models.map((value) => ({ value, name: value }))
    return (await cli.prompts()).select({ message: cli.text('Model'), choices })
  }
  const some = models.slice(0, MODELS_NAMED).join(', ')
  throw usageError(
    models.length > MODELS_NAMED ? cli.say`give --model, such as ${some} …` : cli.say`give --model: ${some}`,
  )
}
