import { useTranslation } from 'react-i18next'

/** A moment in the reader's own time zone. */
export function DateTime({ seconds }: { seconds: number }) {
  const { i18n } = useTranslation()
  const moment = new Date(seconds * 1000)
  const text = new Intl.DateTimeFormat(i18n.language, {
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
