import { VERSION } from '../core/version.ts'
import type { Cli } from './cli.ts'
import type { Command } from './command.ts'
import { EXIT, usageError } from './errors.ts'
import { actsAlone, wordsOf } from './help/page.ts'
import { NOUNS } from './nouns.ts'
import { MINUS } from './output/dollars.ts'
import { addNouns } from './program.ts'

const HELP = 'help'
const HELP_FLAGS = ['-h', '--help']
/** First word of a completion request, which a shell sends. */
const COMPLETE = '__complete'
/** First word of the background command that refreshes the ids and names for completion. */
const RENEW_NAMES = '__names'

/** Runs the command that the words name, or prints its help. Throws a usage error for unknown words. */
export async function dispatch(program: Command, cli: Cli, words: readonly string[]): Promise<void> {
  if (words[0] === COMPLETE) {
    const { complete } = await import('./completion/complete.ts')
    return complete(cli, program, words.slice(1))
  }
  const { operands, unknown } = program.parseOptions(words.map(asAmount))
  if (operands[0] === RENEW_NAMES) return (await import('./completion/known-names.ts')).renewNames(cli)
  if (operands.length === 1 && operands[0] === 'version' && unknown.length === 0) {
    return cli.json ? cli.writeJson({ version: VERSION }) : cli.write(VERSION)
  }
  const firstWord = operands.find((word) => word !== HELP)
  await addNouns(program, cli, (noun) => noun === firstWord)
  const { command, wordCount, help } = resolve(program, operands)
  if (command.exitsWithChanges) cli.usageExit = EXIT.failed
  const next = operands[wordCount]
  if (command.commands.length > 0 && next !== undefined && !actsAlone(command)) {
    throw usageError(await unknownWord(cli, command, operands.slice(wordCount)))
  }
  const needsVerb = command.commands.length > 0 && unknown.length === 0 && !actsAlone(command)
  if (help || needsVerb || unknown.some((word) => HELP_FLAGS.includes(word))) {
    const { printHelp } = await import('./help/help.ts')
    return printHelp(cli, command)
  }
  const { checkOptionsAsValues, checkUselessFlags } = await import('./input/check-options.ts')
  checkOptionsAsValues(cli, command, words)
  checkUselessFlags(cli, command, words)
  try {
    await program.parseAsync(words.map(asAmount), { from: 'user' })
  } catch (error) {
    const [{ hintFor }, { inCommandWords }] = await Promise.all([
      import('./help/hint.ts'),
      import('./input/flag-words.ts'),
    ])
    const hint = hintFor(cli, command, error)
    if (hint !== undefined) cli.hint = hint
    throw await inCommandWords(cli, error, command)
  }
}

/** Replaces the hyphen of `-$1`, `-1.50usd` and `-5m` by a minus sign, because a hyphen starts an option. */
function asAmount(word: string): string {
  return /^-(\$\d+(\.\d+)?|\d+(\.\d+)?( ?usd|\$|[kmb]))$/i.test(word) ? `${MINUS}${word.slice(1)}` : word
}

/** Finds the command, and the number of words that name it. The word `help` may precede any of these words. */
function resolve(
  program: Command,
  operands: readonly string[],
): { command: Command; wordCount: number; help: boolean } {
  let [command, wordCount, help] = [program, 0, false]
  for (; wordCount < operands.length && command.commands.length > 0; wordCount += 1) {
    const word = operands[wordCount] ?? ''
    const next = command.commands.find((each) => each.name() === word || each.aliases().includes(word))
    if (next) command = next
    else if (word === HELP) help = true
    else break
  }
  return { command, wordCount, help }
}

async function unknownWord(cli: Cli, command: Command, words: readonly string[]): Promise<string> {
  const { suggestCommand, suggestVerb } = await import('./input/suggest.ts')
  const [word = ''] = words
  const commandWords = wordsOf(command)
  const suggestion = command.parent
    ? suggestVerb(
        word,
        command.commands.map((each) => each.name()),
      )
    : (
        await suggestCommand(words, { nouns: NOUNS.map(({ name }) => name), verbsOf: (noun) => verbsOf(cli, noun) })
      )?.join(' ')
  return suggestion === undefined
    ? cli.t('program.unknownCommand', { word, command: commandWords })
    : cli.t('program.unknownCommandDid', { word, command: commandWords, suggestion })
}

async function verbsOf(cli: Cli, name: string): Promise<string[]> {
  const noun = NOUNS.find((each) => each.name === name)
  return noun ? (await noun.load())(cli).commands.map((verb) => verb.name()) : []
}
