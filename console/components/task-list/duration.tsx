import { useTranslation } from 'react-i18next'
import { StatusTag } from '../status-tag.tsx'

const SLOW_ABOVE_S = 60

/** The duration of a task in seconds; a dash if it is unknown because the task is unfinished. */
export function Duration({ seconds }: { seconds: number | undefined }) {
  const { t } = useTranslation()
  if (seconds === undefined) return '–'
  const roundedSeconds = Number(seconds.toFixed(1))
  return (
    <StatusTag color={seconds > SLOW_ABOVE_S ? 'red' : 'green'} text={t('task.seconds', { seconds: roundedSeconds })} />
  )
}

/**
 * Returns the seconds between two times; undefined unless both times are above 0 and in order. The times can be out of
 * order if the clocks of the upstream and the gateway differ.
 */
export const secondsBetween = (from: number, to: number): number | undefined =>
  from > 0 && to >= from ? to - from : undefined
