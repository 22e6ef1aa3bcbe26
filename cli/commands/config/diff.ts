import type { ConfigurationChange } from '../../../core/configuration/schema.ts'
import { plainVerb } from '../../run/verbs.ts'
import { CHANGES_EXIT_CODE } from './plan.ts'

export const configDiff = plainVerb({
  name: 'diff',
  exitsWithChanges: true,
  description: 'moving.showDriftBetweenTheGateway',
  examples: ['tollgate config diff gateway.yaml'],
  syntax: (command) => command.argument('<path>', 'moving.yamlFile'),
  async run(cli, path: string) {
    const [{ readConfigDocument }, { resolveSecrets }] = await Promise.all([
      import('./document.ts'),
      import('./references.ts'),
    ])
    const configFile = await readConfigDocument(cli, path)
    const document = await resolveSecrets(cli, configFile.document)
    const { toolkit, actor } = await cli.open()
    const { changes } = await configFile.withPosition(() =>
      toolkit.configuration.plan(actor, { document, prune: true }),
    )
    if (changes.length > 0) cli.exitCode = CHANGES_EXIT_CODE
    if (cli.json) return cli.writeJson({ changes })
    if (changes.length === 0) return cli.write(cli.t('moving.theGatewayMatchesTheFile'))
    cli.write('--- file')
    cli.write('+++ gateway')
    for (const change of changes) for (const line of linesOf(change)) cli.write(line)
  },
})

/** Returns the lines of a change as a diff from file to gateway, which is the reverse of a plan. */
function linesOf({ section, name, action, fields }: ConfigurationChange): string[] {
  if (action === 'create') return [`- ${section}.${name}`]
  if (action === 'delete') return [`+ ${section}.${name}`]
  return [
    `  ${section}.${name}`,
    ...fields.flatMap(({ field, before, after }) => [
      ...(after === undefined ? [] : [`-   ${field}: ${JSON.stringify(after)}`]),
      ...(before === undefined ? [] : [`+   ${field}: ${JSON.stringify(before)}`]),
    ]),
  ]
}
