import { closeSync, writeSync } from 'node:fs'
import { Command } from 'commander'
import type { Cli } from '../../cli.ts'

const SCHEMA = '# yaml-language-server: $schema=./config.schema.json'

export function configExport(cli: Cli): Command {
  return new Command('export')
    .description('Write options, groups, limits, prices and channels as YAML; secrets as references')
    .argument('[file]', 'file that does not exist yet (default: stdout)')
    .addHelpText('after', '\nExample:\n  tollgate config export current.yaml')
    .action(async (file: string | undefined) => {
      const [{ stringify }, { toolkit, actor }] = await Promise.all([import('yaml'), cli.open()])
      const document = await toolkit.configuration.export(actor)
      if (file === undefined) {
        if (cli.json) return cli.writeJson(document)
        return cli.write(stringify(document, { lineWidth: 0 }).trimEnd())
      }
      const { openNew } = await import('../../output-file.ts')
      const descriptor = openNew(cli.folder, file)
      writeSync(descriptor, `${SCHEMA}\n${stringify(document, { lineWidth: 0 })}`)
      closeSync(descriptor)
      const references = [...JSON.stringify(document).matchAll(/"env:(TOLLGATE_(?:CHANNEL|OPTION)_\w+)"/g)].map(
        ([, name]) => name,
      )
      cli.report(cli.say`Wrote the configuration to ${file}.`, { file, references })
      if (references.length > 0) cli.note(cli.say`Set before you plan: ${[...new Set(references)].join(', ')}`)
    })
}
