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
    .option('--output <file>', 'new .csv or .jsonl file, readable only by you (default: stdout)')
    .option('--force', 'replace an existing file once the export is complete')
    .addOption(
      new Option('--format <format>', 'output format (default: by file name, else jsonl)').choices(['csv', 'jsonl']),
    )
}
