import { closeSync, writeFileSync } from 'node:fs'
import { extname } from 'node:path'
import { defined } from '../../../core/records.ts'
import { REDEMPTION_STATUS } from '../../../core/redemption/status.ts'
import type { Cli } from '../../cli.ts'
import { numberOfLabel } from '../../input/enum-labels.ts'
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
  description: 'redemption.exportRedemptionCodes',
  examples: ['tollgate redemption export --status all', 'tollgate redemption export --name launch --output launch.csv'],
  syntax: (command) =>
    command
      .option('--search <text>', 'redemption.filterByTheStart')
      .option('--name <text>', 'redemption.filterByExactName')
      .option('--status <word>', 'redemption.filterByStatusUnused', 'unused')
      .choice('--format <word>', 'log.outputFormat', FORMATS, { id: 'redemption.defaultByExtension' })
      .option('--output <file>', 'redemption.newFileForTheCodesReadable')
      .option('--force', 'list.replaceAnExistingFile'),
  async run({ cli, toolkit, actor }, { search, name, status, format, output, force = false }: Options) {
    const [{ readCodes, textOfCodes }, { openNewFile }, { refuseStdout }] = await Promise.all([
      import('./export-text.ts'),
      import('../../output/new-file.ts'),
      import('../../output/output-file.ts'),
    ])
    const filter = {
      status: numberOfLabel({ all: 0, ...REDEMPTION_STATUS }, '--status', status),
      ...defined({ keyword: search, name }),
    }
    const outputFormat = format ?? formatOf(cli, output)
    if (output === undefined) {
      const codes = await readCodes(cli, { toolkit, actor }, filter)
      if (codes.length === 0 && !cli.json) cli.note(cli.t('redemption.noMatchingCodes'))
      cli.stdout.write(textOfCodes(codes, outputFormat))
      return
    }
    // Opens the file first, so that an unwritable file is reported before codes are read.
    refuseStdout(output)
    const file = openNewFile(cli, output, { force })
    try {
      const codes = await readCodes(cli, { toolkit, actor }, filter)
      writeFileSync(file.descriptor, textOfCodes(codes, outputFormat))
      file.keep()
      cli.report(cli.t('redemption.wroteCodes', { count: codes.length, output }), { count: codes.length, output })
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
