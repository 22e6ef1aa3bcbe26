import { resolve } from 'node:path'
import { readLitellmConfig } from '../../../core/import/litellm/config.ts'
import { configSource, readLitellm } from '../../../core/import/litellm/contents.ts'
import { openSource } from '../../../core/import/sources/open.ts'
import type { Cli } from '../../cli.ts'
import { readText } from '../../input/text-file.ts'
import { importSource, sourceAddress } from './run.ts'

/** Default balance of users without a budget, in dollars. */
const DEFAULT_BALANCE = 10_000

/** Imports from LiteLLM. Throws FILE_UNREADABLE, IMPORT_*, and a usage error if the target is a server. */
export async function runLitellmImport(
  cli: Cli,
  {
    config: path,
    sourceDatabase,
    balance,
    dryRun,
    yes,
  }: { config: string; sourceDatabase?: string; balance?: number; dryRun?: true; yes?: true },
): Promise<void> {
  const file = resolve(cli.folder, path)
  const config = readLitellmConfig(await readText(cli, path), { source: file, environment: cli.env })
  const database = sourceDatabase ?? config.databaseUrl
  const source = database === '' ? configSource(file) : await openSource(sourceAddress(cli.folder, database))
  await importSource(cli, {
    product: 'litellm',
    logs: 'none',
    source,
    read: (opened, { quotaPerUnit }) =>
      readLitellm(opened, config, {
        quotaPerUnit,
        balance: balance ?? DEFAULT_BALANCE * quotaPerUnit,
        hasDatabase: database !== '',
      }),
    ...(dryRun && { dryRun }),
    ...(yes && { yes }),
  })
}
