import type { Command } from 'commander'
import type { Cli } from '../../cli.ts'
import { MissingFlag, usageError } from '../../errors.ts'

export interface KeyFlags {
  key?: string
  keyStdin?: true
}

export function withKeyFlags(command: Command): Command {
  return command
    .option('--key <key>', 'key of the upstream account; visible in the process list')
    .option('--key-stdin', 'read the key from stdin')
}

/** Returns the key from flags or stdin, else undefined. Throws a usage error for both. */
export async function givenKey(cli: Cli, { key, keyStdin }: KeyFlags): Promise<string | undefined> {
  if (key !== undefined && keyStdin) throw usageError(cli.say`pass either --key or --key-stdin, not both`)
  return keyStdin ? cli.readInput() : key
}

/** Like `givenKey`, but prompts for a missing key if possible. */
export async function neededKey(cli: Cli, flags: KeyFlags): Promise<string> {
  const key = await givenKey(cli, flags)
  if (key !== undefined) return key
  if (!cli.interactive) {
    throw new MissingFlag(cli.say`missing key: pass --key <key>, or --key-stdin with the key on stdin`)
  }
  const prompts = await cli.prompts()
  return prompts.password({ message: cli.text('Key of the upstream account'), mask: true })
}
