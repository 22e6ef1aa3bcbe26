import { useTranslation } from 'react-i18next'
import { isMoment } from './times.ts'

/** A moment in the reader's own time zone, with its year where that is another one than now. */
export function DateTime({ seconds }: { seconds: number }) {
  const { i18n } = useTranslation()
  // The server takes any number for a time, such as milliseconds in place of seconds.
  if (!isMoment(seconds)) return <span className="number">{seconds}</span>
  const moment = new Date(seconds * 1000)
  const text = new Intl.DateTimeFormat(i18n.language, {
    ...(moment.getFullYear() !== new Date().getFullYear() && { year: 'numeric' }),
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
    hourCycle: 'h23',
  }).format(moment)
  return (
    <time className="number" dateTime={moment.toISOString()} title={moment.toLocaleString(i18n.language)}>
      {text}
    </time>
  )
}
