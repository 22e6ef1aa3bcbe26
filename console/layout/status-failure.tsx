import Alert from '@arco-design/web-react/es/Alert'
import Button from '@arco-design/web-react/es/Button'
import Message from '@arco-design/web-react/es/Message'
import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ApiError } from '../api/client.ts'
import { isSignedOut } from '../api/failure.ts'
import { useStatus } from '../api/status.ts'

/**
 * Reports that the platform's status failed to load. Shows one toast for consecutive failures. Without a stored status,
 * also shows an alert above the page, because the page then lacks amounts and optional features.
 */
export function StatusFailure() {
  const { t } = useTranslation()
  const { data, error, isSuccess, isFetching, refetch } = useStatus()
  const [statusError, setStatusError] = useState<Error>() // remains set during the next attempt, to avoid flicker
  const notified = useRef(false)
  const isLoaded = isSuccess && !isFetching

  useEffect(() => {
    // The login page reports an ended session.
    if (error && !isSignedOut(error)) setStatusError(error)
    else if (isLoaded) setStatusError(undefined)
  }, [error, isLoaded])

  const text = statusError && t(isUnreachable(statusError) ? 'failure.statusUnreachable' : 'failure.statusFailed')
  useEffect(() => {
    if (text !== undefined && !notified.current) Message.error(text)
    notified.current = text !== undefined
  }, [text])

  if (data || text === undefined) return null
  return (
    <Alert
      type="error"
      banner
      content={text}
      action={
        <Button size="small" loading={isFetching} onClick={() => void refetch()}>
          {t('table.retry')}
        </Button>
      }
    />
  )
}

const isUnreachable = (error: Error): boolean => error instanceof ApiError && error.kind === 'unreachable'
