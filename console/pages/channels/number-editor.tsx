import InputNumber from '@arco-design/web-react/es/InputNumber'
import { type ComponentRef, useRef, useState } from 'react'
import { WHOLE_MAX } from '../../api/channels.ts'

interface Props {
  /** Undefined if the channels have different values. */
  value: number | undefined
  min: number
  label: string
  placeholder?: string
  onSave: (value: number) => void
}

/** A number that is saved by Enter or on blur. Empty or invalid input is reverted. */
export function NumberEditor({ value, min, label, placeholder = '', onSave }: Props) {
  const input = useRef<ComponentRef<typeof InputNumber>>(null)
  /** The text being edited; otherwise shows the value, which updates as soon as a save starts. */
  const [draft, setDraft] = useState<{ number: number | undefined }>()

  function save() {
    setDraft(undefined)
    const input = draft?.number
    if (input === undefined || !Number.isFinite(input)) return
    const number = Math.max(Math.trunc(input), min)
    if (number !== value) onSave(number)
  }

  function onKeyDown(event: Event) {
    if (!('key' in event) || event.key !== 'Enter') return
    event.preventDefault() // otherwise Enter would also press the newly focused button of a dialog
    // Arco shows the typed text until blur, even if the change is rejected.
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
