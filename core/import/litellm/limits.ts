import { QUOTA_MAX } from '../../input.ts'
import type { LimitMeasure, LimitPeriod } from '../../limits/limit.ts'
import { isRecord } from '../../records.ts'
import type { ImportedLimit } from '../limits.ts'
import type { SourceRow } from '../sources/source.ts'

const COLUMNS: Readonly<Record<string, { measure: LimitMeasure; period: LimitPeriod }>> = {
  rpm_limit: { measure: 'requests', period: 'minute' },
  tpm_limit: { measure: 'tokens', period: 'minute' },
  max_parallel_requests: { measure: 'concurrent', period: 'none' },
}
/** Columns with limits of single models. The limits of this gateway's users and tokens cannot depend on the model. */
const BY_MODEL = ['model_rpm_limit', 'model_tpm_limit', 'model_max_budget']

/** Returns the limits of keys, users or teams. Limits and budgets that cannot be imported become warnings. */
export function limitsOf(
  rows: readonly SourceRow[],
  { what, kind, idOf }: { what: string; kind: ImportedLimit['kind']; idOf: (row: SourceRow) => number },
): { limits: ImportedLimit[]; warnings: string[] } {
  const limits: ImportedLimit[] = []
  const warnings: string[] = []
  for (const [column, measured] of Object.entries(COLUMNS)) {
    let unusable = 0
    for (const row of rows) {
      const isGiven = row[column] !== null && row[column] !== undefined
      const amount = Number(row[column])
      const isUsable = isGiven && Number.isInteger(amount) && amount > 0 && amount <= QUOTA_MAX
      limits.push({ kind, row: idOf(row), ...measured, amount: isUsable ? amount : null })
      if (isGiven && !isUsable) unusable++
    }
    if (unusable > 0)
      warnings.push(
        `${unusable} ${what} have a ${column} that is not a whole number from 1 to ${QUOTA_MAX}: they have no such limit here`,
      )
  }
  const byModel = rows.filter((row) =>
    BY_MODEL.some((name) => isFilled(row[name]) || isFilled(parseRecord(row.metadata)[name])),
  )
  if (byModel.length > 0)
    warnings.push(`${byModel.length} ${what} have limits or budgets of single models, which are not imported`)
  const renewed = rows.filter(({ budget_duration: every }) => String(every ?? '').trim() !== '').length
  if (renewed > 0)
    warnings.push(`${renewed} ${what} have budgets that are renewed periodically: here, a budget is not renewed`)
  return { limits, warnings }
}

function parseRecord(value: unknown): Record<string, unknown> {
  if (isRecord(value)) return value
  try {
    return parseRecord(JSON.parse(typeof value === 'string' ? value : '{}') ?? {})
  } catch {
    return {}
  }
}

const isFilled = (value: unknown): boolean => Object.keys(parseRecord(value)).length > 0
