import { Fragment } from 'react'
import { useTranslation } from 'react-i18next'
import { LOG_TYPE } from '../../api/logs.ts'
import { CopiedName } from './copied-name.tsx'
import { readDetails } from './log-details.ts'
import type { KeyedRow } from './use-logs.ts'

/** Shows an event's text. For other rows, shows the requested model, a different upstream model, and the error. */
export function ModelCell({ row, onCopy }: { row: KeyedRow; onCopy: (text: string) => void }) {
  const { t } = useTranslation()
  if (isEvent(row))
    return (
      <span className="clamp log-event" title={row.content}>
        {row.content}
      </span>
    )
  const { upstreamModel } = readDetails(row.other)
  const error = failureCodeText(row)
  return (
    <div>
      <CopiedName name={row.model_name} label={t('log.copyModel', { name: row.model_name })} onCopy={onCopy} />
      {upstreamModel && <div className="log-note">{t('log.mappedTo', { model: upstreamModel })}</div>}
      {error && (
        <div className="log-note log-error">
          {error.split('_').map((part, place) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the parts never change their order
            <Fragment key={place}>
              {place > 0 && '_'}
              {place > 0 && <wbr />}
              {part}
            </Fragment>
          ))}
        </div>
      )}
    </div>
  )
}

/** Returns whether a row, such as a top-up, has neither a model nor an error. */
export const isEvent = (row: Pick<KeyedRow, 'type' | 'model_name' | 'other'>): boolean =>
  row.model_name === '' && failureCodeText(row) === ''

/** Returns status and code of a failed request, such as `429 rate_limited`; empty for other rows. */
export function failureCodeText({ type, other }: Pick<KeyedRow, 'type' | 'other'>): string {
  if (type !== LOG_TYPE.error) return ''
  const { status, code } = readDetails(other)
  return [status, code].filter((value) => value !== undefined).join(' ')
}
