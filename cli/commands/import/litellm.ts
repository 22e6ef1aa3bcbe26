import { quotaArgument } from '../../input/arguments.ts'
import { plainVerb, YES } from '../../run/verbs.ts'

interface Options {
  sourceDatabase?: string
  balance?: number
  dryRun?: true
  yes?: true
}

export const importLitellm = plainVerb({
  name: 'litellm',
  description: 'moving.importTheModelsOfALiteLLM',
  examples: [
    'tollgate import litellm config.yaml --dry-run',
    'tollgate import litellm config.yaml --source-database postgres://litellm@127.0.0.1/litellm --yes',
  ],
  syntax: (command) =>
    command
      .note('moving.keysKeepWorking')
      .argument('<config>', 'moving.configYamlOfLiteLLM')
      .option('--source-database <url>', 'moving.liteLLMDatabase')
      .option('--balance <quota>', 'moving.balanceOfUsersWithoutABudget', quotaArgument)
      .option('--dry-run', 'moving.printTheReport')
      .option(...YES),
  async run(cli, config: string, options: Options) {
    const { runLitellmImport } = await import('./litellm-run.ts')
    await runLitellmImport(cli, { config, ...options })
  },
})
