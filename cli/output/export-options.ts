import { type Command, Option } from 'commander'

/** Destination and format of an export; see `exportRows`. */
export interface ExportOptions {
  output?: string
  format?: 'csv' | 'jsonl'
  force?: true
}

/** Adds the options shared by all exports. */
export function withExportOptions(command: Command): Command {
  return command
    .option('--output <file>', 'write to this new file, .csv or .jsonl, that only you can read (default: stdout)')
    .option('--force', 'replace the file if it exists, once the export is whole')
    .addOption(
      new Option('--format <format>', 'what to write (default: by the name of the file, else jsonl)').choices([
        'csv',
        'jsonl',
      ]),
    )
}
