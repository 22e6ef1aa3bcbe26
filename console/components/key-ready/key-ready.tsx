import Alert from '@arco-design/web-react/es/Alert'
import Button from '@arco-design/web-react/es/Button'
import Input from '@arco-design/web-react/es/Input'
import Select from '@arco-design/web-react/es/Select'
import { IconCopy, IconPlayArrow } from '@arco-design/web-react/icon'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { runFirstRequest } from '../../api/first-request.ts'
import { listKeyModels } from '../../api/first-steps.ts'
import { fullKeyOf, type Token } from '../../api/tokens.ts'
import { Link } from '../../router/link.tsx'
import { useBaseAddress } from '../base-address.ts'
import { CodeTabs } from '../code-tabs.tsx'
import { useCopy } from '../copy.tsx'
import { RequestLink } from '../request-link.tsx'
import { useAction } from '../saving.ts'
import './key-ready.css'
import { SNIPPETS, type SnippetName } from './snippets.ts'

interface Props {
  token: Pick<Token, 'id' | 'key'>
  /** Called when the example request has got a reply, also an error reply of the gateway. */
  onReply?: () => void
}

/** Shows what a client needs to use a key: address, key, model and examples. Can also send an example request. */
export function KeyReady({ token, onReply }: Props) {
  const { t } = useTranslation()
  const address = useBaseAddress()
  const [selectedModel, setModel] = useState<string>()
  const models = useQuery({
    queryKey: ['token', 'models', token.id],
    queryFn: ({ signal }) => listKeyModels(token.id, signal),
  })
  const key = fullKeyOf(token)
  const model = selectedModel ?? models.data?.suggested ?? ''
  const access = { address, key, model: model || t('start.yourModel') }
  const names = Object.keys(SNIPPETS) as SnippetName[]
  const titleOf = (name: SnippetName) => (name === 'env' ? t('start.environment') : name)
  const tabs = names.map((name) => ({ name, title: titleOf(name), code: SNIPPETS[name](access) }))
  return (
    <div className="key-ready">
      <div className="key-ready-fields">
        <CopyField label={t('start.baseUrl')} value={`${address}/v1`} />
        <CopyField label={t('start.apiKey')} value={key} />
        <div className="key-ready-field">
          <span>{t('field.model')}</span>
          <Select
            {...(model !== '' && { value: model })}
            onChange={setModel}
            showSearch
            loading={models.isLoading}
            placeholder={t('start.noModel')}
            aria-label={t('field.model')}
            options={models.data?.models ?? []}
          />
        </div>
      </div>
      {models.data?.models.length === 0 && (
        <Alert
          type="warning"
          content={
            <>
              {t('start.noModelHint')} <Link to="/pricing">{t('screen.pricing')}</Link>
            </>
          }
        />
      )}
      <RunIt apiKey={key} model={model} onRan={onReply} />
      <CodeTabs
        tabs={tabs}
        className="key-ready-tabs"
        lazyload
        destroyOnHide
        size="small"
        aria-label={t('start.examples')}
      />
    </div>
  )
}

function CopyField({ label, value }: { label: string; value: string }) {
  const { t } = useTranslation()
  const copy = useCopy()
  return (
    <div className="key-ready-field">
      <span>{label}</span>
      <Input
        readOnly
        value={value}
        aria-label={label}
        addAfter={
          <Button
            type="text"
            size="mini"
            icon={<IconCopy />}
            aria-label={`${t('action.copy')} ${label}`}
            onClick={() => void copy(value)}
          />
        }
      />
    </div>
  )
}

interface RunItProps {
  apiKey: string
  /** Empty if no model is available. */
  model: string
  onRan: (() => void) | undefined
}

/** Sends the example request with the key and shows the reply. The request is charged like any other request. */
function RunIt({ apiKey, model, onRan }: RunItProps) {
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
