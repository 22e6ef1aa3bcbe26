import Alert from '@arco-design/web-react/es/Alert'
import Button from '@arco-design/web-react/es/Button'
import Message from '@arco-design/web-react/es/Message'
import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ApiError } from '../api/client.ts'
import { isSignedOut } from '../api/failure.ts'
import { useStatus } from '../api/status.ts'

/**
 * The platform does not say what it is. Says so in a toast, once until it does again; and while nothing of an earlier
 * visit stands in for it, above the page as well, which lacks amounts and whatever is switched on.
 */
export function StatusFailure() {
  const { t } = useTranslation()
  const { data, error, isSuccess, isFetching, refetch } = useStatus()
  const [failed, setFailed] = useState<Error>() // outlasts the next attempt, so that nothing flickers
  const told = useRef(false)
  const known = isSuccess && !isFetching

  useEffect(() => {
    // A session that has ended leads to the login page, which says it.
    if (error && !isSignedOut(error)) setFailed(error)
    else if (known) setFailed(undefined)
  }, [error, known])

  const text = failed && t(isUnreachable(failed) ? 'failure.statusUnreachable' : 'failure.statusFailed')
  useEffect(() => {
    if (text !== undefined && !told.current) Message.error(text)
    told.current = text !== undefined
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
