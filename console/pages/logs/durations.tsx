import Tag from '@arco-design/web-react/es/Tag'
import { useTranslation } from 'react-i18next'
import type { LogRow } from '../../api/logs.ts'
import { durationColor, firstTokenColor, inSeconds } from './latency.ts'
import { readDetails } from './log-details.ts'

/** Shows a request's duration, its time to first token if known, and whether the reply was streamed. */
export function Durations({ row }: { row: LogRow }) {
  const { t } = useTranslation()
  const { firstTokenMs } = readDetails(row.other)
  return (
    <span className="log-durations">
      <Tag size="small" color={durationColor(row.use_time)} className="number">
        {t('log.secondsShort', { seconds: row.use_time })}
      </Tag>
      {firstTokenMs !== undefined && (
        <Tag size="small" color={firstTokenColor(firstTokenMs)} className="number">
          {t('log.secondsShort', { seconds: inSeconds(firstTokenMs) })}
        </Tag>
      )}
      <span className="muted">{t(row.is_stream ? 'log.streamed' : 'log.notStreamed')}</span>
    </span>
  )
}
