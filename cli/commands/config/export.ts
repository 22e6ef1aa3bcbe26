import { plainVerb } from '../../run/verbs.ts'

const SCHEMA = '# yaml-language-server: $schema=./config.schema.json'

export const configExport = plainVerb({
  name: 'export',
  description: 'moving.exportTheConfigurationAsYaml',
  examples: ['tollgate config export current.yaml'],
  syntax: (command) => command.argument('[file]', 'moving.newFile').option('--force', 'list.replaceAnExistingFile'),
  async run(cli, file: string | undefined, { force = false }: { force?: boolean }) {
    const [{ stringify }, { toolkit, actor }] = await Promise.all([import('yaml'), cli.open()])
    const document = await toolkit.configuration.export(actor)
    if (file === undefined || file === '-') {
      if (cli.json) return cli.writeJson(document)
      return cli.write(stringify(document, { lineWidth: 0 }).trimEnd())
    }
    const { writeWhole } = await import('../../output/output-file.ts')
    writeWhole(cli, { path: file, force }, `${SCHEMA}\n${stringify(document, { lineWidth: 0 })}`)
    const references = [...JSON.stringify(document).matchAll(/"env:(TOLLGATE_(?:CHANNEL|OPTION)_\w+)"/g)].map(
      ([, name]) => name,
    )
    cli.report(cli.t('moving.wroteTheConfigurationTo', { file }), { file, references })
    if (references.length > 0)
      cli.note(cli.t('moving.setBeforePlanning', { references: [...new Set(references)].join(', ') }))
  },
})
