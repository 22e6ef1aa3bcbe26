import { Option } from 'commander'
import type { Cli } from '../cli.ts'
import { Command } from '../command.ts'

export interface InitOptions {
  rootPassword?: string
  channelType?: string
  channelKey?: string
  channelKeyStdin?: true
  channelName?: string
  channelBaseUrl?: string
  channelModels?: string
  skipChannel?: true
  tokenName?: string
  skipToken?: true
}

export function init(cli: Cli): Command {
  return new Command('init', cli)
    .option('--root-password <text>', 'run.passwordOfTheRootUser')
    .option('--channel-type <type>', 'run.providerOfTheFirstChannel')
    .option('--channel-key <key>', 'run.itsKey')
    .option('--channel-key-stdin', 'channel.readTheKeyFromStdin')
    .option('--channel-name <text>', 'run.itsNameDefault')
    .option('--channel-base-url <url>', 'run.itsBaseUrlWithoutV1Default')
    .addOption(new Option('--channel-url <url>', 'what --channel-base-url was called').hideHelp())
    .option('--channel-models <list>', 'run.modelsToServe')
    .option('--skip-channel', 'run.addNoChannel')
    .option('--token-name <text>', 'run.nameOfTheFirstApiKey')
    .option('--skip-token', 'run.createNoApiKey')
    .note('run.onATerminal')
    .listing('run.noProviderAccountTitle', [
      'tollgate init --channel-type openai --channel-base-url http://127.0.0.1:3900 --channel-models gpt-4o-mini --channel-key sk-…',
    ])
    .example(
      'tollgate init',
      'tollgate init --channel-type openai --channel-key-stdin --token-name my-app < key.txt',
      'tollgate init --root-password change-me-soon --channel-type openai --channel-key sk-abc --token-name my-app',
    )
    .action(async ({ channelUrl, ...rest }: InitOptions & { channelUrl?: string }) => {
      const options = channelUrl === undefined ? rest : { channelBaseUrl: channelUrl, ...rest }
      const { runInit } = await import('./init/run.ts')
      await runInit(cli, options)
    })
}
