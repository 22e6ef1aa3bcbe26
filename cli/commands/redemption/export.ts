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
  description: 'Write redemption codes out, oldest first: one a line, as CSV or as JSON',
  examples: ['tollgate redemption export --status all', 'tollgate redemption export --name launch --output launch.csv'],
  syntax: (command) =>
    command
      .option('--search <text>', 'only names that start with this, or the code of this number')
      .option('--name <text>', 'only codes of exactly this name')
      .option('--status <word>', 'unused, disabled, used or all', 'unused')
      .addOption(
        new Option('--format <word>', 'txt, csv or json (default: by the ending of --output, else txt)').choices(
          FORMATS,
        ),
      )
      .option('--output <file>', 'write them to this new file, which only you can read (default: to stdout)')
      .option('--force', 'replace the file if it exists'),
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
      if (codes.length === 0 && !cli.json) cli.note(cli.say`No such codes.`)
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
