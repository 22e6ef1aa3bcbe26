import Button from '@arco-design/web-react/es/Button'
import Input from '@arco-design/web-react/es/Input'
import { IconCopy } from '@arco-design/web-react/icon'
import { type FormEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useCopy } from '../../components/copy.tsx'

/** A field with the id of the open request. The user can enter another id to open that request. */
export function RequestFinder({ id, onFind }: { id: string; onFind: (id: string) => void }) {
  const { t } = useTranslation()
  const copy = useCopy()
  const [text, setText] = useState(id)
  const requestId = text.trim()

  function submit(event: FormEvent) {
    event.preventDefault()
    if (requestId !== '') onFind(requestId)
  }

  return (
    <search>
      <form className="request-finder" onSubmit={submit}>
        <Input
          value={text}
          onChange={setText}
          aria-label={t('request.id')}
          placeholder={t('request.id')}
          maxLength={64}
          spellCheck={false}
        />
        <Button htmlType="submit" type="primary" disabled={requestId === ''}>
          {t('request.find')}
        </Button>
        {id !== '' && (
          <Button icon={<IconCopy />} aria-label={t('log.copyRequest')} onClick={() => void copy(id)}>
            {t('action.copy')}
          </Button>
        )}
      </form>
    </search>
  )
}
