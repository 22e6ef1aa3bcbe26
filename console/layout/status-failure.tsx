import Alert from '@arco-design/web-react/es/Alert'
import Button from '@arco-design/web-react/es/Button'
import Message from '@arco-design/web-react/es/Message'
import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ApiError } from '../api/client.ts'
import { isSignedOut } from '../api/failure.ts'
import { useStatus } from '../api/status.ts'

/**
 * Reports that loading the platform's status failed: in a toast, once until it succeeds again; and if no stored status
 * replaces it, also above the page, which lacks amounts and optional features.
 */
export function StatusFailure() {
  const { t } = useTranslation()
  const { data, error, isSuccess, isFetching, refetch } = useStatus()
  const [failed, setFailed] = useState<Error>() // kept during the next attempt, to avoid flicker
  const notified = useRef(false)
  const known = isSuccess && !isFetching

  useEffect(() => {
    // For an ended session the login page reports it.
    if (error && !isSignedOut(error)) setFailed(error)
    else if (known) setFailed(undefined)
  }, [error, known])

  const text = failed && t(isUnreachable(failed) ? 'failure.statusUnreachable' : 'failure.statusFailed')
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
