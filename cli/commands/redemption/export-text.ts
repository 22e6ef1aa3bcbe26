import type { Actor } from '../../../core/actor.ts'
import type { Redemption, RedemptionFilter } from '../../../core/redemption/redemption.ts'
import type { Cli } from '../../cli.ts'
import { REDEMPTION_COLUMNS } from '../../columns/redemption.ts'
import { CommandError } from '../../errors.ts'
import { titleOf } from '../../output/column.ts'
import { plainFormat } from '../../output/format.ts'
import { jsonText } from '../../output/json.ts'
import { csvLine } from '../../output/output-file.ts'
import { withRetry } from '../../run/retry.ts'
import type { CommandToolkit } from '../../toolkit.ts'
import type { CodeFormat } from './export.ts'

const PAGE = 1000

/** Returns all matching codes, oldest first. Pages by id, because codes redeemed meanwhile would shift page numbers. */
export async function readCodes(
  cli: Cli,
  { toolkit, actor }: { toolkit: CommandToolkit; actor: Actor },
  filter: RedemptionFilter,
): Promise<Redemption[]> {
  const signal = cli.interruption()
  const page = (beforeId: number | undefined) => () =>
    toolkit.redemption.list(actor, { ...filter, pageSize: PAGE, ...(beforeId !== undefined && { beforeId }) })
  const codes: Redemption[] = []
  try {
    const first = await withRetry(cli, { signal, repeatable: true }, page(undefined))
    const progress = cli.progress({ title: cli.t('redemption.reading'), total: first.total })
    try {
      for (let rows = first.items; rows.length > 0; ) {
        codes.push(...rows)
        progress.at(codes.length)
        rows = (await withRetry(cli, { signal, repeatable: true }, page(rows.at(-1)?.id))).items
      }
    } finally {
      progress.end()
    }
  } catch (error) {
    throw signal.aborted ? new CommandError('INTERRUPTED', cli.t('redemption.interruptedNothingWasWritten')) : error
  }
  return codes.reverse()
}

/** Formats one code per line, CSV with titles, or one JSON document. */
export function textOfCodes(codes: readonly Redemption[], format: CodeFormat): string {
  if (format === 'json') return `${jsonText(codes, 2)}\n`
  if (format === 'txt') return codes.map(({ key }) => `${key}\n`).join('')
  const plain = plainFormat()
  const cells = codes.map((code) => REDEMPTION_COLUMNS.map(({ value }) => value(code, plain)))
  return [REDEMPTION_COLUMNS.map((column) => titleOf(column, plain)), ...cells]
    .map((line) => `${csvLine(line)}\n`)
    .join('')
}
