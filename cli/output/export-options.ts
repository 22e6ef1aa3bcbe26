import type { Command } from '../command.ts'

/** Destination and format of an export; see `exportRows`. */
export interface ExportOptions {
  output?: string
  format?: 'csv' | 'jsonl'
  force?: true
}

/** Adds the options shared by all exports. */
export function withExportOptions(command: Command): Command {
  return command
    .option('--output <file>', 'log.newCsvOrJsonlFile')
    .option('--force', 'list.replaceAnExistingFile')
    .choice('--format <format>', 'log.outputFormat', ['csv', 'jsonl'], { id: 'log.defaultByFileName' })
}
