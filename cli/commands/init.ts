import { Command, Option } from 'commander'
import type { Cli } from '../cli.ts'
import type { InitOptions } from './init/options.ts'

export function init(cli: Cli): Command {
  return new Command('init')
    .option('--root-password <text>', 'password of the root user, 8 to 128 characters (else ROOT_PASSWORD)')
    .option('--channel-type <type>', 'provider of the first channel, name or number, such as openai')
    .option('--channel-key <key>', 'its key')
    .option('--channel-key-stdin', 'read the key from stdin, which keeps it out of the process list')
    .option('--channel-name <text>', "its name (default: the provider's)")
    .option('--channel-base-url <url>', "its base URL without /v1 (default: the provider's)")
    .addOption(new Option('--channel-url <url>', 'what --channel-base-url was called').hideHelp())
    .option(
      '--channel-models <list>',
      'models to serve, separated by commas (default: the common models of the provider)',
    )
    .option('--skip-channel', 'add no channel')
    .option('--token-name <text>', 'name of the first API key')
    .option('--skip-token', 'create no API key')
    .addHelpText(
      'after',
      `
On a terminal, prompts for missing values. Nothing is written before the last answer.

No provider account? tollgate demo --port 3900 simulates one; use its API key:
  tollgate init --channel-type openai --channel-base-url http://127.0.0.1:3900 --channel-models gpt-4o-mini --channel-key sk-…

Examples:
  tollgate init
  tollgate init --channel-type openai --channel-key-stdin --token-name my-app < key.txt
  tollgate init --root-password change-me-soon --channel-type openai --channel-key sk-abc --token-name my-app`,
    )
    .action(async ({ channelUrl, ...rest }: InitOptions & { channelUrl?: string }) => {
      const options = channelUrl === undefined ? rest : { channelBaseUrl: channelUrl, ...rest }
      const { runInit } = await import('./init/run.ts')
      await runInit(cli, options)
    })
}
