import type { UiMessage, UiState } from './ui-context.ts'

/** A change of several rows. */
export interface EachChange<T> {
  /** Message while the changes run. */
  doing: string
  /** Changes one row. */
  changeOne(row: T): Promise<unknown>
  /** Returns the message after `count` changes. */
  doneText(count: number): string
}

/**
 * Changes rows one by one, and continues after failures. Returns the message. If there is only one row and it fails,
 * throws its failure.
 */
export async function changeEach<T>(
  rows: readonly T[],
  { changeOne, doneText }: EachChange<T>,
  { reason, t }: Pick<UiState, 'reason' | 't'>,
): Promise<string | UiMessage> {
  const failures: unknown[] = []
  for (const row of rows) {
    try {
      await changeOne(row)
    } catch (error) {
      failures.push(error)
    }
  }
  if (failures.length === 0) return doneText(rows.length)
  if (rows.length === 1) throw failures[0]
  const changed = doneText(rows.length - failures.length)
  return {
    text: t('ui.failedFirstError', { changed, count: failures.length, reason: reason(failures[0]) }),
    tone: 'bad',
  }
}
