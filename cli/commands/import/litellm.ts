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
  description:
    'Import the models of a LiteLLM proxy as channels; with its database, also users, teams and virtual keys',
  help: `Keys keep working: LiteLLM stores their SHA-256 hashes, which identify them. Budgets become balances and budgets of tokens, in
dollars. Limits of requests, tokens and parallel requests become limits. A team becomes a user who owns its keys. Spending logs are
not imported.

Examples:
  tollgate import litellm config.yaml --dry-run
  tollgate import litellm config.yaml --source-database postgres://litellm@127.0.0.1/litellm --yes`,
  syntax: (command) =>
    command
      .argument('<config>', 'config.yaml of LiteLLM; os.environ/ values are read from this environment')
      .option('--source-database <url>', 'LiteLLM database, postgres://…; default: database_url in the config')
      .option('--balance <quota>', 'balance of users without a budget; default: 10000 dollars', quotaArgument)
      .option('--dry-run', 'print the report, and change nothing')
      .option(...YES),
  async run(cli, config: string, options: Options) {
    const { runLitellmImport } = await import('./litellm-run.ts')
    await runLitellmImport(cli, { config, ...options })
  },
})
