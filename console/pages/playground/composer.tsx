import Button from '@arco-design/web-react/es/Button'
import Input from '@arco-design/web-react/es/Input'
import Message from '@arco-design/web-react/es/Message'
import { IconImage, IconRecordStop, IconSend } from '@arco-design/web-react/icon'
import { type ClipboardEvent, type DragEvent, type KeyboardEvent, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ACCEPT, IMAGE_MAX_MB, IMAGES_MAX, readImages } from './images.ts'
import { keepDraft, readDraft } from './kept.ts'
import { Pictures } from './pictures.tsx'

interface Props {
  userId: number
  /** A reply is being written: the next message waits. */
  busy: boolean
  onSend: (text: string, images: string[]) => void
  onStop: () => void
}

/** Where a message is typed. What was typed is kept over a reload, until it is sent. */
export function Composer({ userId, busy, onSend, onStop }: Props) {
  const { t } = useTranslation()
  const [text, setText] = useState(() => readDraft(userId))
  const [images, setImages] = useState<string[]>([])
  const picker = useRef<HTMLInputElement>(null)
  const empty = text.trim() === '' && images.length === 0

  function type(text: string) {
    setText(text)
    keepDraft(userId, text)
  }

  function send() {
    if (busy || empty) return
    onSend(text, images)
    type('')
    setImages([])
  }

  function onKeyDown(event: KeyboardEvent) {
    // While an input method is composing, Enter chooses a word; 229 is how Safari says so.
    if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing || event.keyCode === 229) return
    event.preventDefault()
    send()
  }

  async function attach(files: Iterable<File>) {
    const found = await readImages([...files], IMAGES_MAX - images.length)
    setImages((images) => [...images, ...found.images])
    for (const { problem, name } of found.problems) {
      Message.error(t(`playground.${problem}`, { name, max: problem === 'tooLarge' ? IMAGE_MAX_MB : IMAGES_MAX }))
    }
  }

  /** What is pasted or dropped may as well be text, which goes where it always does. */
  function onFiles(event: ClipboardEvent | DragEvent, { files }: DataTransfer) {
    if (files.length === 0) return
    event.preventDefault()
    void attach(files)
  }

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: what can be dropped here, the button can add as well
    <div
      className="composer"
      onPaste={(event) => onFiles(event, event.clipboardData)}
      onDrop={(event) => onFiles(event, event.dataTransfer)}
      onDragOver={(event) => event.preventDefault()}
    >
      <Pictures images={images} onRemove={(at) => setImages(images.filter((_, place) => place !== at))} />
      <Input.TextArea
        value={text}
        onChange={type}
        onKeyDown={onKeyDown}
        autoSize={{ minRows: 2, maxRows: 8 }}
        placeholder={t('playground.inputHint')}
        aria-label={t('playground.input')}
        autoFocus
      />
      <div className="composer-buttons">
        <input
          ref={picker}
          type="file"
          accept={ACCEPT}
          multiple
          hidden
          aria-label={t('playground.attach')}
          onChange={({ target }) => {
            void attach([...(target.files ?? [])])
            target.value = '' // so that the same file can be chosen again
          }}
        />
        <Button
          type="text"
          icon={<IconImage />}
          aria-label={t('playground.attach')}
          title={t('playground.attach')}
          onClick={() => picker.current?.click()}
        />
        {busy ? (
          <Button type="primary" status="danger" icon={<IconRecordStop />} onClick={onStop}>
            {t('playground.stop')}
          </Button>
        ) : (
          <Button type="primary" icon={<IconSend />} disabled={empty} onClick={send}>
            {t('playground.send')}
          </Button>
        )}
      </div>
    </div>
  )
}
