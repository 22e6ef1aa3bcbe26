import { useTranslation } from 'react-i18next'
import { StatusTag } from '../status-tag.tsx'

const SLOW_ABOVE_S = 60

/** How long a task took, in seconds; nothing while it is not finished. */
export function Duration({ seconds }: { seconds: number | undefined }) {
  const { t } = useTranslation()
  if (seconds === undefined) return '–'
  const shown = Number(seconds.toFixed(1))
  return <StatusTag color={seconds > SLOW_ABOVE_S ? 'red' : 'green'} text={t('task.seconds', { seconds: shown })} />
}

/** Unknown until both moments are. */
export const lasted = (from: number, to: number): number | undefined => (from > 0 && to > 0 ? to - from : undefined)
