import Button from '@arco-design/web-react/es/Button'
import Input from '@arco-design/web-react/es/Input'
import Message from '@arco-design/web-react/es/Message'
import Select from '@arco-design/web-react/es/Select'
import { IconDelete, IconSave } from '@arco-design/web-react/icon'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { isRecord } from '../../records.ts'
import { readStored, writeStored } from '../../storage.ts'

interface SavedPrompt {
  name: string
  text: string
}
interface StoredPrompts {
  userId: number
  prompts: SavedPrompt[]
}

const PROMPTS_MAX = 50

interface Props {
  userId: number
  /** The current system prompt. */
  text: string
  onChoose: (text: string) => void
}

/** The user's saved system prompts, each with a name. This browser stores the prompts. */
export function SavedPrompts({ userId, text, onChoose }: Props) {
  const { t } = useTranslation()
  const [prompts, setPrompts] = useState(() => readPrompts(userId))
  const [name, setName] = useState('')
  const selectedPrompt = prompts.find((prompt) => prompt.text === text)

  function storePrompts(next: SavedPrompt[]) {
    setPrompts(next)
    writeStored('playground-prompts', { userId, prompts: next })
  }

  function save() {
    const title = name.trim()
    storePrompts([{ name: title, text }, ...prompts.filter((prompt) => prompt.name !== title)].slice(0, PROMPTS_MAX))
    setName('')
    Message.success(t('action.saved'))
  }

  return (
    <div className="prompts">
      {prompts.length > 0 && (
        <div className="prompts-row">
          <Select
            aria-label={t('playground.savedPrompts')}
            placeholder={t('playground.savedPrompts')}
            {...(selectedPrompt && { value: selectedPrompt.name })}
            onChange={(name: string) => onChoose(prompts.find((prompt) => prompt.name === name)?.text ?? '')}
            options={prompts.map((prompt) => prompt.name)}
          />
          <Button
            icon={<IconDelete />}
            disabled={!selectedPrompt}
            aria-label={t('playground.deletePrompt')}
            title={t('playground.deletePrompt')}
            onClick={() => storePrompts(prompts.filter((prompt) => prompt !== selectedPrompt))}
          />
        </div>
      )}
      {text.trim() !== '' && !selectedPrompt && (
        <div className="prompts-row">
          <Input
            value={name}
            maxLength={40}
            onChange={setName}
            placeholder={t('playground.promptName')}
            aria-label={t('playground.promptName')}
          />
          <Button
            icon={<IconSave />}
            disabled={name.trim() === ''}
            aria-label={t('playground.savePrompt')}
            title={t('playground.savePrompt')}
            onClick={save}
          />
        </div>
      )}
    </div>
  )
}

function readPrompts(userId: number): SavedPrompt[] {
  const storedPrompts = readStored('playground-prompts', isStoredPrompts)
  return storedPrompts?.userId === userId ? storedPrompts.prompts : []
}

function isStoredPrompts(value: unknown): value is StoredPrompts {
  if (!isRecord(value) || !Array.isArray(value.prompts)) return false
  return typeof value.userId === 'number' && value.prompts.every(isPrompt)
}

const isPrompt = (value: unknown): value is SavedPrompt =>
  isRecord(value) && typeof value.name === 'string' && typeof value.text === 'string'
