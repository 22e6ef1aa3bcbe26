import { CODES_MAX, type Redemption } from '../../api/redemption.ts'

export interface RedemptionFormValues {
  name: string
  quota: number
  /** Number of codes to create. Only for new codes. */
  count: number
}

export const NEW_REDEMPTION_FORM: RedemptionFormValues = { name: '', quota: 100_000, count: 1 }
export const CODE_QUOTA_PRESETS = [100_000, 500_000, 5_000_000, 25_000_000, 50_000_000] as const

const NAME_LENGTH_MAX = 20

/** Returns whether a name is short enough. Like the server, counts the characters of the trimmed name, not bytes. */
export const codeNameFits = (name: string): boolean => [...name.trim()].length <= NAME_LENGTH_MAX

/** Returns the changed fields; undefined if no field has changed. */
export function codeChangesOf(
  before: Pick<Redemption, 'id' | 'name' | 'quota'>,
  form: Pick<RedemptionFormValues, 'name' | 'quota'>,
): { id: number; name?: string; quota?: number } | undefined {
  const name = form.name.trim()
  const changes = { ...(name !== before.name && { name }), ...(form.quota !== before.quota && { quota: form.quota }) }
  return Object.keys(changes).length > 0 ? { id: before.id, ...changes } : undefined
}

type CountProblem = 'countPositive' | 'countMax'

export function codeCountProblem(count: number | undefined): CountProblem | undefined {
  if (count === undefined || !Number.isInteger(count) || count < 1) return 'countPositive'
  return count > CODES_MAX ? 'countMax' : undefined
}
