import type { Cli } from '../../cli.ts'
import type { Command } from '../../command.ts'
import { MissingFlag, usageError } from '../../errors.ts'

export interface KeyFlags {
  key?: string
  keyStdin?: true
}

export function withKeyFlags(command: Command): Command {
  return command
    .option('--key <key>', 'channel.keyOfTheUpstreamAccount')
    .option('--key-stdin', 'channel.readTheKeyFromStdin')
}

/** Returns the key from flags or stdin, else undefined. Throws a usage error for both. */
export async function givenKey(cli: Cli, { key, keyStdin }: KeyFlags): Promise<string | undefined> {
  if (key !== undefined && keyStdin) throw usageError(cli.t('token.passEitherKeyOrKeyStdin'))
  return keyStdin ? cli.readInput() : key
}

/** Returns the key from flags or stdin, or prompts for it. Throws a usage error if there is no key and no terminal. */
export async function neededKey(cli: Cli, flags: KeyFlags): Promise<string> {
  const key = await givenKey(cli, flags)
  if (key !== undefined) return key
  if (!cli.interactive) throw new MissingFlag(cli.t('channel.missingKey'))
  const prompts = await cli.prompts()
  return prompts.password({ message: cli.t('channel.keyPrompt'), mask: true })
}
