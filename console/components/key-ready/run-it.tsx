import Alert from '@arco-design/web-react/es/Alert'
import Button from '@arco-design/web-react/es/Button'
import { IconPlayArrow } from '@arco-design/web-react/icon'
import { useTranslation } from 'react-i18next'
import { runFirstRequest } from '../../api/first-request.ts'
import { RequestLink } from '../request-link.tsx'
import { useAction } from '../saving.ts'

interface Props {
  apiKey: string
  /** Empty if no model is available. */
  model: string
  onRan: (() => void) | undefined
}

/** Sends the example request with the key and shows the reply. The request is charged like any other request. */
export function RunIt({ apiKey, model, onRan }: Props) {
  const { t } = useTranslation()
  const runAction = useAction({
    run: () => runFirstRequest({ key: apiKey, model }),
    stale: ['user', 'log'],
    after: () => onRan?.(),
  })
  const reply = runAction.data
  return (
    <div className="key-ready-run">
      <div className="key-ready-run-head">
        <Button
          type="primary"
          icon={<IconPlayArrow />}
          disabled={model === ''}
          loading={runAction.isPending}
          onClick={() => runAction.mutate()}
        >
          {t('start.run')}
        </Button>
        <span className="key-ready-note">{t('start.runHint')}</span>
      </div>
      <div aria-live="polite">
        {reply && !runAction.isPending && (
          <Alert
            type={reply.ok ? 'success' : 'error'}
            title={t(reply.ok ? 'start.ran' : 'start.runFailed', { seconds: (reply.ms / 1000).toFixed(1) })}
            content={<p className="key-ready-reply">{reply.text}</p>}
          />
        )}
        {reply && !runAction.isPending && reply.requestId !== '' && (
          <p className="key-ready-note">
            {t('request.id')} <RequestLink id={reply.requestId} />
          </p>
        )}
      </div>
    </div>
  )
}
