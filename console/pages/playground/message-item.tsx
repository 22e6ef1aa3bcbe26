import Button from '@arco-design/web-react/es/Button'
import Input from '@arco-design/web-react/es/Input'
import { IconCopy, IconDelete, IconEdit, IconRefresh } from '@arco-design/web-react/icon'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useCopy } from '../../components/copy.tsx'
import { isOpen, type Message } from './conversation.ts'
import { MessageBody } from './message-body.tsx'

interface Props {
  message: Message
  /** A reply is being written: nothing may be changed. */
  locked: boolean
  /** Something was asked that a model can answer. */
  answers: boolean
  onEdit: (text: string) => void
  /** Has the model answer anew, from this message on. */
  onRegenerate: (message: Message) => void
  onDelete: () => void
}

export function MessageItem({ message, locked, answers, onEdit, onRegenerate, onDelete }: Props) {
  const { t } = useTranslation()
  const copy = useCopy()
  const [editing, setEditing] = useState(false)
  const { role, content } = message
  const who = t(role === 'user' ? 'playground.you' : 'playground.assistant')

  function act(name: 'copy' | 'edit' | 'delete' | 'regenerate', icon: ReactNode, run: () => void) {
    const label = t(`playground.${name}`)
    const disabled = name === 'copy' ? content === '' : locked || (name === 'regenerate' && !answers)
    return (
      <Button size="mini" type="text" icon={icon} disabled={disabled} aria-label={label} title={label} onClick={run} />
    )
  }

  return (
    // A reply is read out when it is whole, not word by word.
    <article className={`message message-${role}`} aria-label={who} aria-busy={isOpen(message)}>
      <div className="message-who">{who}</div>
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
            {act('copy', <IconCopy />, () => void copy(content))}
            {act('edit', <IconEdit />, () => setEditing(true))}
            {act('regenerate', <IconRefresh />, () => onRegenerate(message))}
            {act('delete', <IconDelete />, onDelete)}
          </div>
        </>
      )}
    </article>
  )
}

interface EditorProps {
  message: Message
  onSave: (text: string) => void
  onSend: (text: string) => void
  onCancel: () => void
}

function MessageEditor({ message: { role, content }, onSave, onSend, onCancel }: EditorProps) {
  const { t } = useTranslation()
  const [text, setText] = useState(content)
  const empty = text.trim() === ''
  return (
    <div className="message-editor">
      <Input.TextArea
        value={text}
        onChange={setText}
        autoSize={{ minRows: 2, maxRows: 16 }}
        aria-label={t('playground.editText')}
        // While an input method is composing, Escape takes back a word, not all that was typed.
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
          disabled={empty}
          onClick={() => onSave(text)}
        >
          {t('action.save')}
        </Button>
        {role === 'user' && (
          <Button size="small" type="primary" disabled={empty} onClick={() => onSend(text)}>
            {t('playground.saveAndSend')}
          </Button>
        )}
      </div>
    </div>
  )
}
