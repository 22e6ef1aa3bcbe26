import { closeSync, writeSync } from 'node:fs'
import { EXIT } from '../../errors.ts'
import { plainVerb } from '../../run/verbs.ts'

/** Exit code if there are changes. */
export const CHANGES_EXIT_CODE = EXIT.usage

export const configPlan = plainVerb({
  name: 'plan',
  exitsWithChanges: true,
  description: 'moving.showWhatApplyWouldChange',
  examples: ['tollgate config plan gateway.yaml --out plan.json'],
  syntax: (command) =>
    command
      .argument('<path>', 'moving.yamlFile')
      .option('--prune', 'moving.deleteEntriesThatTheFileDoes')
      .option('--out <file>', 'moving.saveThePlan'),
  async run(cli, path: string, { prune, out }: { prune?: true; out?: string }) {
    const [{ readConfigDocument }, { resolveSecrets }, { printPlan }] = await Promise.all([
      import('./document.ts'),
      import('./references.ts'),
      import('./print.ts'),
    ])
    const configFile = await readConfigDocument(cli, path)
    const document = await resolveSecrets(cli, configFile.document)
    const { toolkit, actor } = await cli.open()
    const plan = await configFile.withPosition(() =>
      toolkit.configuration.plan(actor, { document, prune: prune === true }),
    )
    const savedPlan = { ...plan, prune: prune === true }
    if (out !== undefined) {
      const { openNew } = await import('../../output/output-file.ts')
      const descriptor = openNew(cli, out, '--out')
      writeSync(descriptor, `${JSON.stringify(savedPlan, null, 2)}\n`)
      closeSync(descriptor)
    }
    if (cli.json) cli.writeJson(savedPlan)
    else await printPlan(cli, plan)
    if (plan.changes.length > 0) cli.exitCode = CHANGES_EXIT_CODE
  },
})
