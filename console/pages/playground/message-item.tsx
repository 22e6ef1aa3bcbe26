import Button from '@arco-design/web-react/es/Button'
import Input from '@arco-design/web-react/es/Input'
import { IconCode, IconCopy, IconDelete, IconEdit, IconRefresh } from '@arco-design/web-react/icon'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useCopy } from '../../components/copy.tsx'
import { onDemand } from '../../components/on-demand.tsx'
import { isOpen, type PlaygroundMessage } from './conversation.ts'
import { MessageBody } from './message-body.tsx'
import { rawOf } from './raw-exchanges.ts'

const CodeTabsDialog = onDemand(async () => (await import('./code-tabs-dialog.tsx')).CodeTabsDialog)

interface Props {
  message: PlaygroundMessage
  /** True while a reply is streaming, so that messages cannot be changed. */
  locked: boolean
  /** Whether this or an earlier message is from the user, so that a model can reply. */
  canRegenerate: boolean
  onEdit: (text: string) => void
  /** Requests new replies in place of this reply, or after this message of the user. */
  onRegenerate: (message: PlaygroundMessage) => void
  onDelete: () => void
}

export function MessageItem({ message, locked, canRegenerate, onEdit, onRegenerate, onDelete }: Props) {
  const { t } = useTranslation()
  const copy = useCopy()
  const [editing, setEditing] = useState(false)
  const { role, content } = message
  const [rawOpen, setRawOpen] = useState(false)
  const raw = rawOf(message.id)
  const author = role === 'user' ? t('playground.you') : replyName()

  /** Returns the author's name of a reply. For parallel replies, the name contains the model. */
  function replyName(): string {
    const name = t('playground.assistant')
    return message.lane !== undefined && message.model ? `${name} · ${message.model}` : name
  }

  function actionButton(name: 'copy' | 'edit' | 'delete' | 'regenerate' | 'raw', icon: ReactNode, run: () => void) {
    const label = t(`playground.${name}`)
    const disabled =
      name === 'copy' ? content === '' : (name !== 'raw' && locked) || (name === 'regenerate' && !canRegenerate)
    return (
      <Button size="mini" type="text" icon={icon} disabled={disabled} aria-label={label} title={label} onClick={run} />
    )
  }

  return (
    // Because of `aria-busy`, screen readers read a reply when it is complete, not word by word.
    <article className={`message message-${role}`} aria-label={author} aria-busy={isOpen(message)}>
      <div className="message-who">{author}</div>
      {editing ? (
        <MessageEditor
          message={message}
          onSave={(text) => {
            onEdit(text)
            setEditing(false)
          }}
          onSend={(text) => {
            setEditing(false)
            onRegenerate({ ...message, content: text })
          }}
          onCancel={() => setEditing(false)}
        />
      ) : (
        <>
          <MessageBody message={message} />
          <div className="message-actions">
            {actionButton('copy', <IconCopy />, () => void copy(content))}
            {actionButton('edit', <IconEdit />, () => setEditing(true))}
            {actionButton('regenerate', <IconRefresh />, () => onRegenerate(message))}
            {actionButton('delete', <IconDelete />, onDelete)}
            {raw && actionButton('raw', <IconCode />, () => setRawOpen(true))}
          </div>
          {raw && (
            <CodeTabsDialog
              title={t('playground.raw')}
              tabs={[
                { name: t('screen.request'), code: raw.request },
                { name: t('playground.rawResponse'), code: raw.response },
              ]}
              visible={rawOpen}
              onClose={() => setRawOpen(false)}
            />
          )}
        </>
      )}
    </article>
  )
}

interface EditorProps {
  message: PlaygroundMessage
  onSave: (text: string) => void
  onSend: (text: string) => void
  onCancel: () => void
}

function MessageEditor({ message: { role, content }, onSave, onSend, onCancel }: EditorProps) {
  const { t } = useTranslation()
  const [text, setText] = useState(content)
  const isEmpty = text.trim() === ''
  return (
    <div className="message-editor">
      <Input.TextArea
        value={text}
        onChange={setText}
        autoSize={{ minRows: 2, maxRows: 16 }}
        aria-label={t('playground.editText')}
        // In an input method editor, Escape only cancels the current word.
        onKeyDown={({ key, nativeEvent }) => key === 'Escape' && !nativeEvent.isComposing && onCancel()}
        autoFocus
      />
      <div className="message-editor-buttons">
        <Button size="small" onClick={onCancel}>
          {t('action.cancel')}
        </Button>
        <Button
          size="small"
          type={role === 'user' ? 'secondary' : 'primary'}
          disabled={isEmpty}
          onClick={() => onSave(text)}
        >
          {t('action.save')}
        </Button>
        {role === 'user' && (
          <Button size="small" type="primary" disabled={isEmpty} onClick={() => onSend(text)}>
            {t('playground.saveAndSend')}
          </Button>
        )}
      </div>
    </div>
  )
}
