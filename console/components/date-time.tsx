import { useTranslation } from 'react-i18next'
import { isMoment } from './times.ts'

/** A time in the user's time zone, with the year unless it is the current one. */
export function DateTime({ seconds }: { seconds: number }) {
  const { i18n } = useTranslation()
  // The server accepts any number as a time, for example milliseconds instead of seconds.
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
