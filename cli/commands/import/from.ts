import { InvalidValue } from '../../command.ts'
import { pastTime } from '../../input/arguments.ts'
import { type CommandBuilder, plainVerb, YES, type YesFlag } from '../../run/verbs.ts'

interface Options extends YesFlag {
  logs: 'all' | 'none' | number
  sinceLast?: true
  dryRun?: true
}

export function importFrom(product: 'new-api' | 'one-api'): CommandBuilder {
  return plainVerb({
    name: product,
    description: product === 'new-api' ? 'moving.importNewApi' : 'moving.importOneApi',
    examples: [
      `tollgate import ${product} ./one-api.db --dry-run`,
      `tollgate import ${product} 'mysql://root:secret@127.0.0.1:3306/oneapi' --logs 90d --yes`,
    ],
    syntax: (command) =>
      command
        .note('moving.printsAReport')
        .argument('<source>', 'moving.sQLiteFile')
        .option('--logs <which>', 'moving.logsToImport', logsArgument, 'all')
        .option('--since-last', 'moving.onlyWhatIsNewSince')
        .option('--dry-run', 'moving.printTheReport')
        .option(...YES),
    async run(cli, source: string, options: Options) {
      const { runImport } = await import('./run.ts')
      await runImport(cli, { product, address: source, ...options })
    },
  })
}

function logsArgument(text: string): Options['logs'] {
  if (text === 'all' || text === 'none') return text
  try {
    return pastTime(text)
  } catch (error) {
    if (!(error instanceof InvalidValue)) throw error
    throw new InvalidValue({ id: 'moving.expectedAll', values: { times: error.text } })
  }
}
