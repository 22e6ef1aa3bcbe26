import { closeSync, writeFileSync } from 'node:fs'
import { extname } from 'node:path'
import { Option } from 'commander'
import type { Cli } from '../../cli.ts'
import { counted, numberOf } from '../../input/enum-labels.ts'
import { verb } from '../../run/verbs.ts'

interface Options {
  search?: string
  name?: string
  status: string
  format?: CodeFormat
  output?: string
  force?: boolean
}

const FORMATS = ['txt', 'csv', 'json'] as const
export type CodeFormat = (typeof FORMATS)[number]

export const redemptionExport = verb({
  name: 'export',
  description: 'Export redemption codes, oldest first: one per line, as CSV or as JSON',
  examples: ['tollgate redemption export --status all', 'tollgate redemption export --name launch --output launch.csv'],
  syntax: (command) =>
    command
      .option('--search <text>', 'filter by the start of the name, or by ID')
      .option('--name <text>', 'filter by exact name')
      .option('--status <word>', 'filter by status: unused, disabled, used or all', 'unused')
      .addOption(
        new Option('--format <word>', 'txt, csv or json (default: by the extension of --output, else txt)').choices(
          FORMATS,
        ),
      )
      .option('--output <file>', 'new file for the codes, readable only by you (default: stdout)')
      .option('--force', 'replace an existing file'),
  async run({ cli, toolkit, actor }, { search, name, status, format, output, force = false }: Options) {
    const [{ REDEMPTION_STATUS }, { readCodes, textOfCodes }, { openNewFile }, { refuseStdout }] = await Promise.all([
      import('../../../core/redemption/redemption.ts'),
      import('./export-text.ts'),
      import('../../output/new-file.ts'),
      import('../../output/output-file.ts'),
    ])
    const filter = {
      status: numberOf({ all: 0, ...REDEMPTION_STATUS }, '--status', status),
      ...(search !== undefined && { keyword: search }),
      ...(name !== undefined && { name }),
    }
    const chosen = format ?? formatOf(cli, output)
    if (output === undefined) {
      const codes = await readCodes(cli, { toolkit, actor }, filter)
      if (codes.length === 0 && !cli.json) cli.note(cli.say`No matching codes.`)
      cli.stdout.write(textOfCodes(codes, chosen))
      return
    }
    // Opens the file first, to fail before reading.
    refuseStdout(output)
    const file = openNewFile(cli, output, { force })
    try {
      const codes = await readCodes(cli, { toolkit, actor }, filter)
      writeFileSync(file.descriptor, textOfCodes(codes, chosen))
      file.keep()
      cli.report(
        counted(codes.length, cli.say`Wrote 1 code to ${output}.`, cli.say`Wrote ${codes.length} codes to ${output}.`),
        { count: codes.length, output },
      )
    } catch (error) {
      file.discard()
      throw error
    } finally {
      closeSync(file.descriptor)
    }
  },
})

function formatOf(cli: Cli, output: string | undefined): CodeFormat {
  if (output === undefined) return cli.json ? 'json' : 'txt'
  const ending = extname(output).toLowerCase().slice(1)
  return FORMATS.find((each) => each === ending) ?? 'txt'
}
