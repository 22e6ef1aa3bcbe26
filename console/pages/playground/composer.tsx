import Button from '@arco-design/web-react/es/Button'
import Input from '@arco-design/web-react/es/Input'
import Message from '@arco-design/web-react/es/Message'
import { IconImage, IconRecordStop, IconSend } from '@arco-design/web-react/icon'
import { type ClipboardEvent, type DragEvent, type KeyboardEvent, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ACCEPT, chooseImages, IMAGE_MAX_MB, IMAGES_MAX, type RejectedFile, readImages } from './images.ts'
import { Pictures } from './pictures.tsx'
import { keepDraft, readDraft } from './stored-conversation.ts'

interface Props {
  userId: number
  /** True while a reply is streaming, so that the user cannot send a message. */
  busy: boolean
  onSend: (text: string, images: string[]) => void
  onStop: () => void
}

/** The message input. This browser stores the text until the message is sent, also across reloads. */
export function Composer({ userId, busy, onSend, onStop }: Props) {
  const { t } = useTranslation()
  const [text, setText] = useState(() => readDraft(userId))
  const { images, add, remove, removeFirst } = useImages(({ problem, name }) =>
    Message.error(t(`playground.${problem}`, { name, max: problem === 'tooLarge' ? IMAGE_MAX_MB : IMAGES_MAX })),
  )
  const isEmpty = text.trim() === '' && images.length === 0

  function type(text: string) {
    setText(text)
    keepDraft(userId, text)
  }

  function send() {
    if (busy || isEmpty) return
    onSend(text, images)
    type('')
    removeFirst(images.length)
  }

  function onKeyDown(event: KeyboardEvent) {
    // In an input method editor, Enter selects a word. Safari reports this only as key code 229.
    if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing || event.keyCode === 229) return
    event.preventDefault()
    send()
  }

  /** Attaches pasted or dropped files. Without files, the browser handles the event, such as a paste of text. */
  function onFiles(event: ClipboardEvent | DragEvent, { files }: DataTransfer) {
    if (files.length === 0) return
    event.preventDefault()
    void add(files)
  }

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the button can add the same files as dropping
    <div
      className="composer"
      onPaste={(event) => onFiles(event, event.clipboardData)}
      onDrop={(event) => onFiles(event, event.dataTransfer)}
      onDragOver={(event) => event.preventDefault()}
    >
      <Pictures images={images} onRemove={remove} />
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
        <AttachButton onFiles={(files) => void add(files)} />
        {busy ? (
          <Button type="primary" status="danger" icon={<IconRecordStop />} onClick={onStop}>
            {t('playground.stop')}
          </Button>
        ) : (
          <Button type="primary" icon={<IconSend />} disabled={isEmpty} onClick={send}>
            {t('playground.send')}
          </Button>
        )}
      </div>
    </div>
  )
}

function AttachButton({ onFiles }: { onFiles: (files: File[]) => void }) {
  const { t } = useTranslation()
  const picker = useRef<HTMLInputElement>(null)
  return (
    <>
      <input
        ref={picker}
        type="file"
        accept={ACCEPT}
        multiple
        hidden
        aria-label={t('playground.attach')}
        onChange={({ target }) => {
          onFiles([...(target.files ?? [])])
          target.value = '' // allows selecting the same file again
        }}
      />
      <Button
        type="text"
        icon={<IconImage />}
        aria-label={t('playground.attach')}
        title={t('playground.attach')}
        onClick={() => picker.current?.click()}
      />
    </>
  )
}

/** The images of the message that is being written. Calls `onRejected` for each file that cannot be attached. */
function useImages(onRejected: (file: RejectedFile) => void) {
  const [images, setImages] = useState<string[]>([])
  // Also counts the files that are being read, since more files may be added before these images are rendered.
  const count = useRef(0)

  async function add(files: Iterable<File>) {
    const { chosen, rejected } = chooseImages([...files], IMAGES_MAX - count.current)
    count.current += chosen.length
    rejected.forEach(onRejected)
    const result = await readImages(chosen)
    count.current -= result.rejected.length
    result.rejected.forEach(onRejected)
    setImages((images) => [...images, ...result.images])
  }

  /** Removes the first images. An image that was read after the latest rendering remains. */
  function removeFirst(removed: number) {
    count.current -= removed
    setImages((images) => images.slice(removed))
  }

  function remove(index: number) {
    count.current -= 1
    setImages((images) => images.filter((_, place) => place !== index))
  }

  return { images, add, remove, removeFirst }
}
