import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import type { ConfigurationPlan } from '../../../core/configuration/schema.ts'
import { errorMessage } from '../../../core/error-parts.ts'
import type { Cli } from '../../cli.ts'
import { usageError } from '../../errors.ts'
import { plainVerb, YES } from '../../run/verbs.ts'
import { printPlan } from './print.ts'

interface Options {
  prune?: true
  plan?: string
  yes?: true
}

export const configApply = plainVerb({
  name: 'apply',
  description: 'moving.applyAConfigurationFile',
  examples: ['tollgate config apply gateway.yaml --yes'],
  syntax: (command) =>
    command
      .argument('<path>', 'moving.yamlFile')
      .option('--prune', 'moving.deleteEntriesThatTheFileDoes')
      .option('--plan <file>', 'moving.applyThisPlan')
      .option(...YES),
  async run(cli, path: string, options: Options) {
    const { readConfigDocument } = await import('./document.ts')
    const savedPlan = options.plan === undefined ? undefined : await readPlan(cli, options.plan)
    const prune = savedPlan?.prune ?? options.prune === true
    const { document, withPosition } = await readConfigDocument(cli, path)
    const { toolkit, actor } = await cli.open()
    const plan = savedPlan
      ? { document: savedPlan.document, changes: savedPlan.changes }
      : await withPosition(() => toolkit.configuration.plan(actor, { document, prune }))
    const apply = () => withPosition(() => toolkit.configuration.apply(actor, { document, prune, plan }))
    const isEmpty = plan.changes.length === 0
    // Applies even a saved plan without changes, to check it: the file or the gateway may have changed since.
    if (isEmpty && savedPlan) await apply()
    if (!cli.json) await printPlan(cli, plan)
    if (!isEmpty) {
      await cli.confirm(cli.t('moving.applyTheseChanges'), { yes: options.yes })
      await apply()
    }
    if (cli.json) return cli.writeJson({ ...plan, prune })
    if (!isEmpty) cli.note(cli.t('moving.appliedChanges', { count: plan.changes.length }))
  },
})

async function readPlan(cli: Cli, file: string): Promise<ConfigurationPlan & { prune: boolean }> {
  const [{ Value }, schema] = await Promise.all([
    import('typebox/value'),
    import('../../../core/configuration/schema.ts'),
  ])
  try {
    const plan: unknown = JSON.parse(await readFile(resolve(cli.folder, file), 'utf8'))
    if (Value.Check(schema.ConfigurationPlan, plan)) return { ...plan, prune: 'prune' in plan && plan.prune === true }
  } catch (error) {
    throw usageError(cli.t('moving.isNotAPlan', { file, message: errorMessage(error) }))
  }
  throw usageError(cli.t('moving.isNotAPlanCreate', { file }))
}
