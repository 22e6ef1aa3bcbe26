import InputNumber from '@arco-design/web-react/es/InputNumber'
import { type ComponentRef, useRef, useState } from 'react'
import { WHOLE_MAX } from '../../api/channels.ts'

interface Props {
  /** Undefined if the channels of a tag have different values. */
  value: number | undefined
  min: number
  label: string
  placeholder?: string
  onSave: (value: number) => void
}

/** An input for a number, which Enter or leaving the field saves. Empty or invalid input is reverted. */
export function NumberEditor({ value, min, label, placeholder = '', onSave }: Props) {
  const input = useRef<ComponentRef<typeof InputNumber>>(null)
  /** The number being edited; undefined if the field shows `value`. */
  const [draft, setDraft] = useState<{ number: number | undefined }>()

  function save() {
    setDraft(undefined)
    const draftNumber = draft?.number
    if (draftNumber === undefined || !Number.isFinite(draftNumber)) return
    const number = Math.max(Math.trunc(draftNumber), min)
    if (number !== value) onSave(number)
  }

  function onKeyDown(event: Event) {
    if (!('key' in event) || event.key !== 'Enter') return
    event.preventDefault() // saving may open a dialog, and Enter would also press the focused button of this dialog
    // Arco shows the typed text until the field loses the focus, even if the change is reverted.
    input.current?.blur()
    input.current?.focus()
  }

  return (
    <InputNumber
      ref={input}
      className="number-editor"
      size="mini"
      value={(draft ? draft.number : value) as number}
      min={min}
      max={WHOLE_MAX}
      precision={0}
      placeholder={placeholder}
      aria-label={label}
      onChange={(number: number | undefined) => setDraft({ number })}
      onBlur={save}
      onKeyDown={onKeyDown}
    />
  )
}
