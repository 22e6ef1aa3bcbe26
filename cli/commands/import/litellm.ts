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
    'Import the model list of a LiteLLM proxy as channels, and with its database the users, teams and virtual keys',
  help: `Keys keep working: LiteLLM stores their SHA-256, by which they are recognized. Budgets become balances and limits of keys, in
dollars. Limits of requests, tokens and parallel requests become limits. A team becomes a user who owns its keys. Logs of spending are not imported.

Examples:
  tollgate import litellm config.yaml --dry-run
  tollgate import litellm config.yaml --source-database postgres://litellm@127.0.0.1/litellm --yes`,
  syntax: (command) =>
    command
      .argument('<config>', 'config.yaml of LiteLLM; values of os.environ/ are looked up in this environment')
      .option('--source-database <url>', 'its database, postgres://…; default: database_url in the config')
      .option('--balance <quota>', 'balance of those who have no budget; default: 10000 dollars', quotaArgument)
      .option('--dry-run', 'report what would come, and change nothing')
      .option(...YES),
  async run(cli, config: string, options: Options) {
    const { runLitellmImport } = await import('./litellm-run.ts')
    await runLitellmImport(cli, { config, ...options })
  },
})
