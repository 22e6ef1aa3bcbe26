import { useTranslation } from 'react-i18next'
import { isMoment } from './times.ts'

/** A time in the user's time zone. The year is shown only if it is not the current year. */
export function DateTime({ seconds }: { seconds: number }) {
  const { i18n } = useTranslation()
  // The server accepts any number as a time. Show a number that is no date, such as a time in milliseconds, unchanged.
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
